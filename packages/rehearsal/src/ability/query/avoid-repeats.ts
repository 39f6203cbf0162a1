import { similarity } from "../../text/index.ts";
import { salientTerms } from "../material/salient-terms.ts";
import type { QueryBehaviour } from "./draft.ts";
import { stemsOf, withTerms } from "./draft.ts";

/**
 * Changes a query that is close to one sent before: keeps its content words and adds terms of the
 * notes that neither it nor any sent query contains.
 */
export const avoidRepeats: QueryBehaviour = {
  name: "avoid-repeats",
  cues: [
    { all: ["repeat", "pastquery"], weight: -0.95, negated: 0.7 },
    { all: ["fresh"], weight: 0.6 },
    { all: ["vary", "pastquery"], weight: 0.6 },
    { all: ["pastquery"], weight: 0, negated: 0.6 },
  ],
  apply: (draft, level, { material, siblings, reader }) => {
    const sent = [...material.pastQueries, ...siblings];
    const stems = stemsOf(draft);
    if (level < 0.3 || !sent.some((query) => similarity(reader.stems(query), stems) > 0.8)) {
      return draft;
    }
    const { findings, missing, suggestions } = material.notes;
    const fresh = salientTerms(
      [...suggestions, ...missing, ...findings].map((text) => ({ text, weight: 1 })),
      reader,
      new Set([...stems, ...sent.flatMap((query) => [...reader.stems(query)])]),
    );
    const content = draft.base.filter(({ kind }) => kind === "content");
    return withTerms({ ...draft, base: content }, fresh, Math.round(level * 4));
  },
};
