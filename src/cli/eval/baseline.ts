import { EspalierError } from "../../errors/index.ts";
import { standInLabel } from "../../stand-in/index.ts";
import type { Study } from "../../study/index.ts";
import type { EvaluationFile } from "./evaluation-file.ts";

/**
 * Whether a saved result can be compared with what is about to be evaluated, as far as that can be
 * known before anything is spent.
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
      problem: "The baseline was judged by another metric",
      where: "--baseline",
      expected: `${objective.name} ${objective.version}`,
      got: `${metric.name} ${metric.version}`,
    });
  }
  const ids = new Set(examples.map(({ id }) => id));
  if (rows.some(({ exampleId, score }) => score.kind === "scored" && ids.has(exampleId))) return;
  throw new EspalierError({
    code: "comparison-invalid",
    problem: "The baseline has a score for none of the examples",
    where: "--baseline",
    got: `${rows.length} rows on ${split}`,
    fix: "Evaluate both on the same split",
  });
}

/**
 * What besides the program differs between a baseline and a result: a verdict on the program says
 * little then.
 */
export function baselineDifferences(
  baseline: EvaluationFile,
  other: EvaluationFile,
): readonly string[] {
  const traits = (file: EvaluationFile): readonly string[] => [
    `LM ${file.lm.model} (${file.lm.provider})${standInLabel(file.isRehearsal).suffix}`,
    file.judgeLm === undefined
      ? "no LM for judges alone"
      : `judges' LM ${file.judgeLm.model} (${file.judgeLm.provider})`,
    `split ${file.split}`,
    `seed ${file.evaluation.seed}`,
  ];
  const others = traits(other);
  return traits(baseline).flatMap((trait, index) =>
    trait === others[index] ? [] : [`${trait} instead of ${others[index]}`],
  );
}
