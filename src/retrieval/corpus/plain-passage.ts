import type { Passage } from "../../contract/index.ts";
import { withoutChatTokens } from "../../internal/index.ts";

/** A passage as a reranker's model reads it, whose server puts it into a template of chat tokens. */
export function plainPassage(passage: Passage): Passage {
  const { title, text } = passage;
  return {
    ...passage,
    ...(title === undefined ? {} : { title: withoutChatTokens(title) }),
    text: withoutChatTokens(text),
  };
}
