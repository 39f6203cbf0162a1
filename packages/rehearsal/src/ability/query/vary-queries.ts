import type { Draft, QueryBehaviour } from "./draft.ts";

/**
 * Varies several queries: the first is unchanged, the second has only the question's own content
 * words, the third has these and all added terms. Further queries take a part of the content words:
 * names and the end, the first half, the second half.
 */
export const varyQueries: QueryBehaviour = {
  name: "vary-queries",
  cues: [
    { all: ["same", "query"], weight: -0.95, negated: 0.5 },
    { all: ["vary", "query"], weight: 0.6 },
    { all: ["vary"], weight: 0.45 },
  ],
  apply: (draft, level, { index }) => {
    if (level < 0.2 || index === 0) return draft;
    const base = draft.base.filter(({ kind }) => kind === "content");
    if (base.length === 0) return draft;
    if (index >= 3) return { ...draft, base: partOf(base, index) };
    return index % 3 === 1 ? { ...draft, base, added: [] } : { ...draft, base };
  },
};

function partOf(base: Draft["base"], index: number): Draft["base"] {
  const middle = Math.ceil(base.length / 2);
  if (index % 3 === 1) return base.slice(0, middle);
  if (index % 3 === 2) return base.slice(middle);
  return base.filter(({ isName }, index) => isName || index >= base.length - 2);
}
