import { EspalierError } from "../../errors/index.ts";
import { deepFreeze } from "../../internal/index.ts";
import type { Signature } from "../../signature/index.ts";
import { labelsOf } from "../decision/label-probabilities.ts";
import type { ProbabilitySources } from "../driver/driver.ts";

/**
 * The fields of a predictor whose probabilities are asked for, copied and frozen.
 *
 * @throws EspalierError `option-invalid` for a field that is no boolean or enum output, and for a
 *   confidence of an unknown label or in an output that is no number
 */
export function checkedProbabilities(
  sources: ProbabilitySources,
  { name: signature, fields: { output } }: Signature,
): ProbabilitySources {
  const invalid = (expected: string, got: string): EspalierError =>
    new EspalierError({
      code: "option-invalid",
      problem: "Option `probabilities` of a predictor does not fit its outputs",
      where: `signature "${signature}"`,
      expected,
      got,
    });
  for (const [name, { verbalized = {} }] of Object.entries(sources)) {
    const field = output.find((held) => held.name === name);
    const labels = field === undefined || field.isOptional ? null : labelsOf(field);
    if (labels === null) throw invalid("the name of a boolean or enum output", `"${name}"`);
    for (const [label, stated] of Object.entries(verbalized)) {
      if (!labels.has(label))
        throw invalid(`one of ${[...labels.keys()].join(", ")}`, `"${label}"`);
      const isNumber = output.some((held) => held.name === stated && held.shape.kind === "number");
      if (!isNumber) throw invalid("the name of a number output", `"${stated}"`);
    }
  }
  return deepFreeze(structuredClone(sources));
}
