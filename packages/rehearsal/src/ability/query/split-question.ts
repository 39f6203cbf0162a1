import type { Word } from "../../text/index.ts";
import type { QueryBehaviour } from "./draft.ts";

/** Gives each query after the first one part of a question that has several. */
export const splitQuestion: QueryBehaviour = {
  name: "split-question",
  cues: [
    { all: ["split", "question"], weight: 0.7 },
    { all: ["split", "query"], weight: 0.6 },
    { all: ["split"], weight: 0.4 },
  ],
  apply: (draft, level, { index }) => {
    const parts = questionParts(draft.base);
    if (level < 0.3 || parts.length < 2 || index === 0) return draft;
    return { ...draft, base: parts[(index - 1) % parts.length] ?? draft.base };
  },
};

/** Splits at conjunctions and relative words; a part without content joins the one before it. */
export function questionParts(words: readonly Word[]): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  for (const word of words) {
    if (seams.has(word.lower)) parts.push([]);
    parts.at(-1)?.push(word);
  }
  const merged: Word[][] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last !== undefined && part.every(({ kind }) => kind !== "content")) last.push(...part);
    else merged.push(part);
  }
  return merged.filter((part) => part.some(({ kind }) => kind === "content"));
}

const seams: ReadonlySet<string> = new Set(
  "and or versus vs compared than that which who whom whose where while but also".split(" "),
);
