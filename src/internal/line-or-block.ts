import { hasLines } from "./line-ends.ts";

/** A text that stands where a line belongs to it alone: as it is, or in a tag when it has several lines. */
export function lineOrBlock(text: string): string {
  return hasLines(text) ? `<text>\n${text}\n</text>` : text;
}
