/** The first `characters` code points, as the authors' Python counts them: `text[:characters]`. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // A code point has at most two code units, so only the beginning is split.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}
