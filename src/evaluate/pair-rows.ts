import { EspalierError } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";
import type { Measures } from "./objective.ts";
import { measuresOf } from "./objective.ts";

/** The part of an evaluation that a comparison reads. */
export interface ComparableEvaluation extends Pick<Evaluation, "metric" | "objective"> {
  readonly rows: readonly Pick<EvaluationRow, "exampleId" | "cluster" | "score">[];
}

/** An example scored in both evaluations. */
export interface Pair {
  readonly exampleId: string;
  readonly cluster: string;
  readonly baseline: Measures;
  readonly other: Measures;
}

/** An example left out of a comparison: unscored, not applicable or absent in at least one. */
export interface Dropped {
  readonly exampleId: string;
  readonly because: "unscored" | "not-applicable" | "absent";
}

/**
 * Pairs the rows of two evaluations by example id, in the baseline's order. Examples to which the
 * metric applies in neither evaluation do not count as dropped.
 */
export function pairRows(
  baseline: ComparableEvaluation,
  other: ComparableEvaluation,
  hasAggregate: boolean,
): { readonly pairs: readonly Pair[]; readonly dropped: readonly Dropped[] } {
  refuseDifferentMetrics(baseline, other, hasAggregate);
  const others = new Map(other.rows.map((row) => [row.exampleId, row]));
  const known = new Set(baseline.rows.map(({ exampleId }) => exampleId));
  const pairs: Pair[] = [];
  const dropped: Dropped[] = [];
  for (const row of baseline.rows) {
    const { exampleId, cluster, score } = row;
    const match = others.get(exampleId);
    if (score.kind === "scored" && match?.score.kind === "scored") {
      const [ours, theirs] = [measuresOf(score), measuresOf(match.score)];
      pairs.push({ exampleId, cluster, baseline: ours, other: theirs });
    } else if (match === undefined) {
      dropped.push({ exampleId, because: "absent" });
    } else if (score.kind !== "not-applicable" || match.score.kind !== "not-applicable") {
      dropped.push({
        exampleId,
        because: isUnscored(row) || isUnscored(match) ? "unscored" : "not-applicable",
      });
    }
  }
  for (const { exampleId } of other.rows) {
    if (!known.has(exampleId)) dropped.push({ exampleId, because: "absent" });
  }
  if (pairs.length === 0) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: "The two evaluations share no scored example",
      expected: "at least one example id that is scored in both",
      got: `${baseline.rows.length} and ${other.rows.length} rows, ${dropped.length} of them not comparable`,
      fix: "Evaluate both programs on the same split.",
    });
  }
  return { pairs, dropped: Object.freeze(dropped) };
}

function isUnscored({ score }: Pick<EvaluationRow, "score">): boolean {
  return score.kind === "unscored";
}

function refuseDifferentMetrics(
  baseline: ComparableEvaluation,
  other: ComparableEvaluation,
  hasAggregate: boolean,
): void {
  const [left, right] = [baseline, other].map(({ metric }) => `${metric.name} ${metric.version}`);
  if (left !== right) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: "The two evaluations were made with different metrics",
      expected: `metric ${left} in both`,
      got: `${right}`,
      fix: "Evaluate both programs with the same metric and version.",
    });
  }
  if (baseline.objective === "aggregate" && !hasAggregate) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: `Metric ${left} has its own aggregate, which cannot be computed from rows alone`,
      expected: "option `aggregate: { metric, examples }`",
      got: "none",
      fix: "Pass the metric and the examples of both evaluations.",
    });
  }
}
