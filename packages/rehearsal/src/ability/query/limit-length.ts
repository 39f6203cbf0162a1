import type { QueryBehaviour } from "./draft.ts";

/** Writes very few words, or one. Numeric limits are read elsewhere. */
export const limitLength: QueryBehaviour = {
  name: "limit-length",
  cues: [
    { all: ["oneword"], weight: 0.95, negated: 0 },
    { all: ["brief", "query"], weight: 0.3, negated: 0 },
  ],
  apply: (draft, level) => {
    if (level > 0.8) return { ...draft, limit: 1 };
    return level > 0.2 ? { ...draft, limit: Math.min(draft.limit, 14) } : draft;
  },
};
