/**
 * Sentences of 435 letters that begin alike, and end too differently for one to be an edit of
 * another.
 */
export function alike(count: number, ending: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
    const beginning = "the register of the old mill by the river was kept by her brother ".repeat(
      5,
    );
    return `${beginning}${`${name}${ending} `.repeat(26)}`.trim();
  });
}
