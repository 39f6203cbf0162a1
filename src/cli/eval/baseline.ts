import { EspalierError } from "../../errors/index.ts";
import { mockLabel } from "../../mock/index.ts";
import type { Study } from "../../study/index.ts";
import { modelText } from "../terminal/figures-text.ts";
import { drawnText } from "./draw-examples.ts";
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
  // The same rows under a new name are the same rows.
  const hasSameRows = baseline.trainset.checksum === other.trainset.checksum;
  const traits = (file: EvaluationFile): readonly string[] => [
    `LM ${modelText(file.lm, mockLabel(file.mocks))}`,
    mocksTrait(file),
    ...lmsTrait(file),
    file.judgeLm === undefined
      ? "no separate judge LM"
      : `judge LM ${file.judgeLm.model} (${file.judgeLm.provider})`,
    `split ${file.split}`,
    ...examplesTraits(file, hasSameRows ? "" : ` ${file.trainset.name}`),
    `seed ${file.evaluation.seed}`,
  ];
  const others = traits(other);
  return traits(baseline).flatMap((trait, index) =>
    trait === others[index] ? [] : [`${trait} instead of ${others[index]}`],
  );
}

function examplesTraits(
  { trainset, drawn, evaluation: { rows } }: EvaluationFile,
  name: string,
): string[] {
  const how = drawnText(drawn);
  return [
    `trainset${name} ${trainset.checksum.slice(0, 12)}`,
    how === "" ? "the whole split" : `${rows.length} examples (${how})`,
  ];
}

/** Those of LMs are named with them. */
function mocksTrait({ mocks }: EvaluationFile): string {
  const others = mocks.filter(({ part }) => part !== "lm" && part !== "judgeLm");
  return others.length === 0 ? "no other mocks" : `mocks for ${mockLabel(others).parts}`;
}

function lmsTrait({ lms = {} }: EvaluationFile): readonly string[] {
  const each = Object.entries(lms).map(
    ([name, { provider, model }]) => `${name} by ${model} (${provider})`,
  );
  return [each.length === 0 ? "one LM for all predictors" : each.join(", ")];
}
