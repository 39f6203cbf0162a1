import { hasLines } from "./line-ends.ts";

/** Renders a text that has a line to itself: unchanged, or inside a tag if it has several lines. */
export function lineOrBlock(text: string): string {
  return hasLines(text) ? `<text>\n${text}\n</text>` : text;
}
