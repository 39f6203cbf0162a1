import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/** Adds terms of the assistant's last reply: answers name what follow-up questions are about. */
export const carryReplies: QueryBehaviour = {
  name: "carry-replies",
  cues: [
    { all: ["use", "entity", "reply"], weight: 0.7 },
    { all: ["use", "reply"], weight: 0.6 },
    { all: ["entity", "reply"], weight: 0.5 },
    { all: ["reply", "query"], weight: 0.3 },
  ],
  apply: (draft, level, { material, reader, need, jitter }) => {
    const replies = material.turns.filter(({ speaker }) => speaker === "assistant").slice(-2);
    const weighed = replies.map(({ text }, index) => ({
      text,
      weight: (index === replies.length - 1 ? 1 : 0.5) * jitter(),
    }));
    const terms = salientTerms(weighed, reader, stemsOf(draft));
    return withTerms(draft, terms, Math.round(level * maxTerms * need));
  },
};

const maxTerms = 4;
