import type { QueryBehaviour } from "./draft.ts";

/**
 * Gives each of several queries its own slant: the first stays whole, the second keeps the question's
 * own subject matter and leaves out half of what was carried in, the third turns that round, and so on.
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
    const content = draft.base.filter(({ kind }) => kind === "content");
    if (index % 3 === 1) {
      const kept = draft.added.filter(({ isName }, place) => isName || place % 2 === 0);
      return { ...draft, base: content, added: kept };
    }
    const half = Math.ceil(content.length / 2);
    return draft.added.length === 0
      ? { ...draft, base: content.slice(-half) }
      : { ...draft, base: content.slice(-half), added: draft.added };
  },
};
