import { EspalierError } from "../../errors/index.ts";
import { standInLabel } from "../../stand-in/index.ts";
import type { Study } from "../../study/index.ts";
import type { EvaluationFile } from "./evaluation-file.ts";

/**
 * Checks that a saved result is comparable with the coming evaluation, as far as that can be known
 * before any cost is incurred.
 *
 * @throws EspalierError `comparison-invalid`
 */
export function checkBaseline(
  { split, evaluation: { metric, rows } }: EvaluationFile,
  { objective }: Pick<Study, "objective">,
  examples: readonly { readonly id: string }[],
): void {
  if (metric.name !== objective.name || metric.version !== objective.version) {
    throw new EspalierError({
      code: "comparison-invalid",
      problem: "The baseline was scored by another metric",
      where: "--baseline",
      expected: `${objective.name} ${objective.version}`,
      got: `${metric.name} ${metric.version}`,
    });
  }
  const ids = new Set(examples.map(({ id }) => id));
  if (rows.some(({ exampleId, score }) => score.kind === "scored" && ids.has(exampleId))) return;
  throw new EspalierError({
    code: "comparison-invalid",
    problem: "The baseline has no scores for these examples",
    where: "--baseline",
    got: `${rows.length} rows on ${split}`,
    fix: "Evaluate both on the same split",
  });
}

/**
 * Lists what differs between a baseline and a result besides the program. Any difference weakens
 * the verdict on the program.
 */
export function baselineDifferences(
  baseline: EvaluationFile,
  other: EvaluationFile,
): readonly string[] {
  const traits = (file: EvaluationFile): readonly string[] => [
    `LM ${file.lm.model} (${file.lm.provider})${standInLabel(file.isRehearsal).suffix}`,
    file.judgeLm === undefined
      ? "no separate judge LM"
      : `judge LM ${file.judgeLm.model} (${file.judgeLm.provider})`,
    `split ${file.split}`,
    `seed ${file.evaluation.seed}`,
  ];
  const others = traits(other);
  return traits(baseline).flatMap((trait, index) =>
    trait === others[index] ? [] : [`${trait} instead of ${others[index]}`],
  );
}
