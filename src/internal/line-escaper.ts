import { hasLines } from "./line-ends.ts";
import { unseenMarks } from "./unseen-marks.ts";

/** What may stand before an opening without keeping a model from seeing it. */
const blank = String.raw`[\s\p{Cc}${unseenMarks}]`;

/**
 * Makes a function that puts a backslash before each line of a text that begins as a part of the frame
 * around it does, as Markdown escapes a heading; before the first line only where it begins a line.
 *
 * @param opening an expression for how a part begins, with the flag `u`
 */
export function lineEscaper(
  opening: string,
): (text: string, options?: { readonly isFirstLineInside?: boolean }) => string {
  // A run of blanks is tried from its start alone, which keeps the steps in proportion to the text.
  const openings = new RegExp(`(?:^${blank}*|(?<!${blank})${blank}+)(?=${opening})`, "gu");
  return (text, { isFirstLineInside = false } = {}) =>
    text.replaceAll(openings, (before: string, place: number) =>
      hasLines(before) || (place === 0 && !isFirstLineInside) ? `${before}\\` : before,
    );
}
