/** The first `characters` code points: the authors' Python counts them so, `text[:characters]`. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Code points are at most twice as many code units: only the beginning needs to be taken apart.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}
