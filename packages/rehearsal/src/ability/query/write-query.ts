import type { Steering } from "../../steering/index.ts";
import { wordLimits } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import type { Draft, QueryContext } from "./draft.ts";
import { queryBehaviours } from "./query-behaviours.ts";
import { questionNeed } from "./question-need.ts";

/** Maximum words of a query unless the instruction says otherwise. */
const usualLimit = 60;

/**
 * Writes one search query. Without instructions it copies the question; each behaviour that the
 * instruction or the demonstrations activate changes the draft in turn.
 */
export function writeQuery({
  material,
  steering,
  reader,
  index,
  siblings,
  jitter,
}: {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
  readonly index: number;
  readonly siblings: readonly string[];
  readonly jitter: () => number;
}): string {
  const context: QueryContext = {
    material,
    reader,
    index,
    siblings,
    jitter,
    need: questionNeed(material.question, reader),
  };
  const limits = wordLimits(steering.clauses);
  let draft: Draft = {
    base: reader.words(material.question),
    added: [],
    limit: limits.most ?? usualLimit,
  };
  let isTouched = false;
  for (const behaviour of queryBehaviours) {
    const level = steering.level(behaviour);
    if (level <= 0.05) continue;
    const next = behaviour.apply(draft, level, context);
    isTouched ||= next.base !== draft.base || next.added.length > 0;
    draft = next;
  }
  const isWhole = !isTouched && draft.base.length <= draft.limit;
  return isWhole ? material.question.trim() : written(draft);
}

function written({ base, added, limit }: Draft): string {
  const words = [...base, ...added].map(({ surface }) => surface);
  if (words.length <= limit) return words.join(" ");
  // A short query keeps content words before function words, and names before other words.
  const weighed = [...base, ...added].map((word, index) => ({
    word,
    index,
    weight: (word.isName ? 2 : 0) + ("kind" in word && word.kind !== "content" ? -3 : 1),
  }));
  const kept = weighed
    .toSorted((left, right) => right.weight - left.weight || left.index - right.index)
    .slice(0, limit);
  return kept
    .toSorted((left, right) => left.index - right.index)
    .map(({ word }) => word.surface)
    .join(" ");
}
