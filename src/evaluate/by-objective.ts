import type { Evaluation, EvaluationRow } from "./evaluation.ts";
import type { Metric } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { summarize } from "./summarize.ts";

/**
 * The same evaluation with one of its further objectives as the value, so that it has an interval
 * and can be compared. Rows that do not report the objective count as not applicable and are
 * excluded from its mean.
 *
 * @throws EspalierError `comparison-invalid` when no row reports it
 */
export function byObjective<TOutput>(
  evaluation: Evaluation<TOutput>,
  name: string,
  {
    resamples = 10_000,
    aggregate,
  }: {
    readonly resamples?: number;
    /** @default the mean */
    readonly aggregate?: Metric["aggregate"] | undefined;
  } = {},
): Evaluation<TOutput> {
  const { rows, metric, coverageFloor, seed } = evaluation;
  if (!(name in evaluation.objectives)) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: `No row reports the objective \`${name}\``,
      expected: Object.keys(evaluation.objectives).join(", ") || "none: the metric reports none",
    });
  }
  const reported = rows.map((row): EvaluationRow<TOutput> => {
    if (row.score.kind !== "scored") return row;
    const value = row.score.objectives?.[name];
    const reason = `reports no ${name}`;
    return {
      ...row,
      score: value === undefined ? { kind: "not-applicable", reason } : { kind: "scored", value },
    };
  });
  const judge = { name, version: metric.version };
  return Object.freeze({
    ...evaluation,
    metric: Object.freeze(judge),
    ...summarize({
      rows: reported,
      examples: rows.map(({ exampleId: id }) => ({ id, input: undefined, labels: undefined })),
      // Neither function scores anything here.
      metric: {
        ...judge,
        ...(aggregate && { aggregate }),
        doScore: () => ({ kind: "not-applicable", reason: "already scored" }),
        scoreFormatFailure: () => ({ kind: "not-applicable", reason: "already scored" }),
      },
      coverageFloor,
      resamples,
      seed,
    }),
    rows: Object.freeze(reported),
  });
}
