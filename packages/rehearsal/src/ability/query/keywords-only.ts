import type { Demonstration } from "../../reading/index.ts";
import type { QueryBehaviour } from "./draft.ts";

/** Drops the words of the question that carry no subject matter; all of them from level .5 on. */
export const keywordsOnly: QueryBehaviour = {
  name: "keywords-only",
  cues: [
    { all: ["functionword"], weight: -0.9, negated: 0.7 },
    { all: ["fullsentence"], weight: -0.8, negated: 0.6 },
    { all: ["keyword", "query"], none: ["astray"], weight: 0.65 },
    { all: ["keyword"], weight: 0.55 },
  ],
  shownBy: tersenessOf,
  apply: (draft, level) => {
    if (level < 0.2) return draft;
    const base = draft.base.filter(
      ({ kind }) => kind === "content" || (kind === "filler" && level < 0.5),
    );
    return base.length === 0 && draft.added.length === 0 ? draft : { ...draft, base };
  },
};

/** Whether a demonstration's outputs dropped its question mark and function words. */
function tersenessOf({ inputs, outputs }: Demonstration): number {
  const asked = inputs.find(({ role }) => role === "question")?.text ?? "";
  const written = Object.values(outputs).filter((value) => typeof value === "string");
  const last = written.at(-1);
  if (last === undefined || !/\b(?:the|is|are|was|do|does|of|a|an)\b/i.test(asked)) return 0;
  return /\b(?:the|is|are|was|do|does|of|a|an|what|how|why|who)\b|\?/i.test(last) ? 0 : 0.6;
}
