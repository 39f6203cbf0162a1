import type { SplitName } from "../../contract/index.ts";
import type { Comparison } from "../../evaluate/index.ts";
import { compare } from "../../evaluate/index.ts";
import { mean } from "../../statistics/index.ts";
import type { Contrast, Side, StratumDifference } from "../data/contrast.ts";
import type { RunComparison } from "../data/run-comparison.ts";
import { sideScores } from "./side-scores.ts";

export interface ContrastOptions {
  readonly baseline: Side;
  readonly other: Side;
  readonly split: SplitName;
  /** For bootstrap and permutation test. @default 10_000 */
  readonly resamples?: number;
}

/**
 * How one side differs from another, by `compare` on the examples that both scored, whole and by
 * stratum; `null` if there are none.
 */
export function contrastOf(
  comparison: Pick<RunComparison, "examples" | "sources" | "strata">,
  { baseline, other, split, resamples = 10_000 }: ContrastOptions,
): Omit<Contrast, "kind" | "isSelected" | "overSeeds"> | null {
  const before = sideScores(comparison, baseline, split);
  const after = sideScores(comparison, other, split);
  const shared = [...before.keys()].filter(
    (index) => typeof before.get(index) === "number" && typeof after.get(index) === "number",
  );
  if (shared.length === 0) return null;
  const rowsOf = (scores: typeof before, places: readonly number[]): ComparableEvaluation =>
    evaluationOf(comparison, scores, places);
  const differenceOn = (places: readonly number[], count: number): Comparison =>
    compare(rowsOf(before, places), rowsOf(after, places), { resamples: count });
  const strata = comparison.strata.flatMap(({ label, groups, of }) =>
    groups.flatMap((group, number): readonly StratumDifference[] => {
      const places = shared.filter((index) => [of[index] ?? []].flat().includes(number));
      if (places.length === 0) return [];
      const {
        verdict: _verdict,
        equal: _equal,
        dropped: _dropped,
        ...figures
      } = differenceOn(places, Math.min(resamples, stratumResamples));
      const [one, two] = [before, after].map((scores) => meanOf(scores, places)) as [
        number,
        number,
      ];
      return [{ label, group, baseline: one, other: two, ...figures }];
    }),
  );
  const { dropped: _dropped, ...figures } = differenceOn(shared, resamples);
  return { baseline, other, split, ...figures, strata };
}

type ComparableEvaluation = Parameters<typeof compare>[0];

/** There may be many strata. */
const stratumResamples = 2_000;

function meanOf(scores: ReadonlyMap<number, number | null>, places: readonly number[]): number {
  return mean(places.map((index) => scores.get(index) ?? 0));
}

/** The metric is the same on both sides: who asks for a contrast has seen to it. */
function evaluationOf(
  { examples }: Pick<RunComparison, "examples">,
  scores: ReadonlyMap<number, number | null>,
  places: readonly number[],
): ComparableEvaluation {
  return {
    metric: { name: "score", version: "1" },
    objective: "mean",
    rows: places.map((index) => {
      const { id = "", cluster = id } = examples[index] ?? {};
      const value = scores.get(index) ?? 0;
      return { exampleId: id, cluster, score: { kind: "scored", value } };
    }),
  };
}
