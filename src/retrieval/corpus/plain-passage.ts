import type { Passage } from "../../contract/index.ts";
import { withoutChatTokens } from "../../internal/index.ts";

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
