import type { Evaluation } from "../../evaluate/index.ts";
import type { NamedFlip } from "../terminal/flips-text.ts";

/** The examples that two evaluations scored differently, those that changed most first. */
export function flips(baseline: Evaluation, other: Evaluation): readonly NamedFlip[] {
  const before = new Map(baseline.rows.map(({ exampleId, score }) => [exampleId, score]));
  return other.rows
    .flatMap(({ exampleId, score }): readonly NamedFlip[] => {
      const old = before.get(exampleId);
      if (old?.kind !== "scored" || score.kind !== "scored" || old.value === score.value) return [];
      return [{ exampleId, baseline: old.value, other: score.value }];
    })
    .toSorted((one, two) => changeOf(two) - changeOf(one));
}

function changeOf({ baseline, other }: NamedFlip): number {
  return Math.abs(other - baseline);
}
