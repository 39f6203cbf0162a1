import { lineEnds } from "./line-ends.ts";

const whiteSpace = new RegExp(`[\\s${lineEnds}]+`, "gu");

/**
 * A text on one line, with single spaces, for a frame whose lines have meaning: the text cannot add
 * a line to it.
 */
export function oneLine(text: string): string {
  return text.replaceAll(whiteSpace, " ").trim();
}
