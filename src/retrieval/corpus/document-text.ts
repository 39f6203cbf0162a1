import type { Passage } from "../../contract/index.ts";
import { withoutChatTokens } from "../../internal/index.ts";

/** About 500 tokens of English, which every embedder and reranker accepts. */
export const defaultMaxCharacters = 2_000;

/**
 * The part of a passage that embedders and rerankers read: the title, if any, on its own line, then
 * the text, trimmed, cut after `maxCharacters` code points.
 */
export function documentText({ title = "", text }: Passage, maxCharacters: number): string {
  const whole = `${title.trim()}\n${text.trim()}`.trim();
  // A text has at most as many code points as code units: only a long text needs splitting.
  if (whole.length <= maxCharacters) return whole;
  return Array.from(whole.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join("")
    .trimEnd();
}

/**
 * A passage without chat-template tokens, for a reranking model whose server inserts it into a chat
 * template.
 */
export function plainPassage(passage: Passage): Passage {
  const { title, text } = passage;
  return {
    ...passage,
    ...(title === undefined ? {} : { title: withoutChatTokens(title) }),
    text: withoutChatTokens(text),
  };
}
