import { standInLabel } from "../../stand-in/index.ts";
import type { EvaluationFile } from "./evaluation-file.ts";

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
