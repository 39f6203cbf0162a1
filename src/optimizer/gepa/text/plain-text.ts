/**
 * Invisible characters that are not whitespace: zero-width marks, fillers, soft hyphens, controls.
 */
const hidden = /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}]|\uFEFF/gu;

/** A text as a reader sees it, with each stretch of whitespace as one space: for comparisons. */
export function plainText(text: string): string {
  // A Braille pattern without dots is blank, too.
  return text
    .replaceAll(hidden, "")
    .replaceAll(/[\s\u2800]+/g, " ")
    .trim();
}
