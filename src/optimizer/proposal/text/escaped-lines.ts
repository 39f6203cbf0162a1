import { lineEscaper, once } from "../../../internal/index.ts";

type Part = "heading" | "passage" | "turn" | "item";

/** The patterns that open a line of the frame in which cases are shown. */
const escapers: Readonly<Record<Part, () => ReturnType<typeof lineEscaper>>> = {
  heading: once(() => lineEscaper(String.raw`#{1,6}\s`)),
  passage: once(() => lineEscaper(String.raw`\[\d+\]`)),
  turn: once(() => lineEscaper("(?:user|assistant):")),
  item: once(() => lineEscaper(String.raw`\d+\.\s`)),
};

/**
 * Puts a backslash before each line that would open another part of the frame; before the first
 * line only where it starts a line.
 */
export function escapedLines(
  text: string,
  part: Part,
  options: { readonly isFirstLineInside?: boolean } = {},
): string {
  return escapers[part]()(text, options);
}
