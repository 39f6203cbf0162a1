import type { Comparison } from "espalier/evaluate";
import { compare } from "espalier/evaluate";

/** Scores of the same rows under one seed. */
export interface PairedScores {
  readonly seed: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** By rows of test: the same row under another seed is no other question. */
export function comparedScores(seeds: readonly PairedScores[]): Comparison {
  const side = (which: "before" | "after") => ({
    metric: { name: "share-right", version: "1" },
    objective: "mean" as const,
    rows: seeds.flatMap((one) =>
      one[which].map((value, index) => ({
        exampleId: `${one.seed}/${index}`,
        cluster: `${index}`,
        score: { kind: "scored" as const, value, blame: [] },
      })),
    ),
  });
  return compare(side("before"), side("after"));
}
