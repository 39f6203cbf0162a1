import type { Draft, QueryBehaviour } from "./draft.ts";

/**
 * Gives each of several queries its own slant: the first stays as it is, the second is the
 * question's own subject matter alone, the third that together with all that was carried in.
 * Further ones take a part of it: its names with the end, its first half, its second half.
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
  return base.filter(({ isName }, place) => isName || place >= base.length - 2);
}
