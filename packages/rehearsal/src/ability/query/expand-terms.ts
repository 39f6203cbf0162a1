import { coverage } from "../../text/index.ts";
import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/** Adds wording from the available passages and replies that are close to the question. */
export const expandTerms: QueryBehaviour = {
  name: "expand-terms",
  cues: [
    { all: ["use", "synonym"], weight: 0.6 },
    { all: ["synonym"], weight: 0.5 },
    { all: ["use", "entity", "passages"], weight: 0.6 },
  ],
  apply: (draft, level, { material, reader, jitter }) => {
    const held = stemsOf(draft);
    const sources = [
      ...material.passages.map(({ title, text }) => `${title}\n${text}`),
      ...material.turns.slice(-1).map(({ text }) => text),
    ];
    const weighed = sources.map((text) => ({
      text,
      weight: coverage(held, reader.stems(text)) * jitter(),
    }));
    const terms = salientTerms(weighed, reader, held).filter(({ score }) => score > 0);
    return withTerms(draft, terms, Math.round(level * 4));
  },
};
