import type { Passage } from "../../contract/index.ts";

/** About 500 tokens of English, which every embedder and reranker takes. */
export const defaultMaxCharacters = 2_000;

/**
 * What embedders and rerankers read of a passage: the title on a line of its own, if there is one,
 * then the text, white space at both ends taken off, cut after `maxCharacters` code points.
 */
export function documentText({ title = "", text }: Passage, maxCharacters: number): string {
  const whole = `${title.trim()}\n${text.trim()}`.trim();
  // Code points are at most twice as many code units: only a long text needs to be taken apart.
  if (whole.length <= maxCharacters) return whole;
  return Array.from(whole.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join("")
    .trimEnd();
}
