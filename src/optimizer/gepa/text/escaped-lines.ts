import { lineEscaper } from "../../../internal/index.ts";

type Part = "heading" | "passage" | "turn" | "item";

/** What opens a line of the frame that cases are shown in. */
const escapers: Readonly<Record<Part, ReturnType<typeof lineEscaper>>> = {
  heading: lineEscaper(String.raw`#{1,6}\s`),
  passage: lineEscaper(String.raw`\[\d+\]`),
  turn: lineEscaper("(?:user|assistant):"),
  item: lineEscaper(String.raw`\d+\.\s`),
};

/**
 * A text in which a backslash stands before each line that would open another part of the frame;
 * its first line only where it opens a line.
 */
export function escapedLines(
  text: string,
  part: Part,
  options: { readonly isFirstLineInside?: boolean } = {},
): string {
  return escapers[part](text, options);
}
