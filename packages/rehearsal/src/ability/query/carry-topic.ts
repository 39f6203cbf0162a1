import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/** Adds the subject of the user's first turn. */
export const carryTopic: QueryBehaviour = {
  name: "carry-topic",
  cues: [
    { all: ["repeat", "firstquestion"], none: ["entity"], weight: 0 },
    { all: ["use", "opening"], weight: 0.6 },
    { all: ["opening", "query"], weight: 0.5 },
  ],
  apply: (draft, level, { material, reader, need }) => {
    const opening = material.turns.find(({ speaker }) => speaker === "user");
    if (opening === undefined) return draft;
    const terms = salientTerms([{ text: opening.text, weight: 1 }], reader, stemsOf(draft));
    return withTerms(draft, terms, Math.round(level * 3 * need));
  },
};
