import type { QueryBehaviour } from "./draft.ts";

/**
 * Gives each of several queries its own slant: the first stays as it is, the second is the question's
 * own subject matter alone, the third that together with all that was carried in, and so on.
 */
export const varyQueries: QueryBehaviour = {
  name: "vary-queries",
  cues: [
    { all: ["same", "query"], weight: -0.95, negated: 0.5 },
    { all: ["vary", "query"], weight: 0.6 },
    { all: ["vary"], weight: 0.45 },
  ],
  apply: (draft, level, { index }) => {
    if (level < 0.2 || index % 3 === 0) return draft;
    const base = draft.base.filter(({ kind }) => kind === "content");
    if (base.length === 0) return draft;
    return index % 3 === 1 ? { ...draft, base, added: [] } : { ...draft, base };
  },
};
