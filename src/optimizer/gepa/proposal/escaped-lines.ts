import { lineEscaper } from "../../../internal/index.ts";

/** What opens a line of the frame that cases are shown in. */
const escapers = {
  heading: lineEscaper(String.raw`#{1,6}\s`),
  passage: lineEscaper(String.raw`\[\d+\]`),
  turn: lineEscaper("(?:user|assistant):"),
  item: lineEscaper(String.raw`\d+\.\s`),
} as const;

/**
 * A text in which a backslash stands before each line that would open another part of the frame; its
 * first line only where it opens a line.
 */
export function escapedLines(
  text: string,
  part: keyof typeof escapers,
  options: { readonly isFirstLineInside?: boolean } = {},
): string {
  return escapers[part](text, options);
}
