import { hasLines } from "./line-ends.ts";
import { unseenMarks } from "./unseen-marks.ts";

/** Characters before an opening that do not keep a model from recognizing it. */
const blank = String.raw`[\s\p{Cc}${unseenMarks}]`;

/**
 * Returns a function that puts a backslash before each line of a text that begins like a part of
 * the surrounding frame, as Markdown escapes a heading; the first line counts only if the text
 * starts on a new line of the frame.
 *
 * @param opening an expression that matches the beginning of a part, with the flag `u`
 */
export function lineEscaper(
  opening: string,
): (text: string, options?: { readonly isFirstLineInside?: boolean }) => string {
  // A run of blanks is matched only from its start, so that time stays linear in the text.
  const openings = new RegExp(`(?:^${blank}*|(?<!${blank})${blank}+)(?=${opening})`, "gu");
  return (text, { isFirstLineInside = false } = {}) =>
    text.replaceAll(openings, (before: string, place: number) =>
      hasLines(before) || (place === 0 && !isFirstLineInside) ? `${before}\\` : before,
    );
}
