import type { ParameterValue } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { getOwn } from "../internal/index.ts";
import type { Parameters, Predictors } from "./call.ts";
import type { LabelWeights } from "./decision/decided-label.ts";
import { labelsOf } from "./decision/label-probabilities.ts";

export type WeightsByPredictor = Readonly<Record<string, Readonly<Record<string, LabelWeights>>>>;

/** The weights that a program's parameters give to labels. */
export function weightsIn(
  parameters: Parameters,
  values: Readonly<Record<string, ParameterValue>>,
): WeightsByPredictor {
  const found: Record<string, Record<string, Record<string, number>>> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.kind === "choice" || parameter.weighs === undefined) continue;
    const { predictor, field, label } = parameter.weighs;
    ((found[predictor] ??= {})[field] ??= {})[label] = Number(getOwn(values, name));
  }
  return found;
}

/** @throws EspalierError `program-invalid` for a weight of a label without probabilities */
export function checkWeights(
  { name: program, predictors }: { readonly name: string; readonly predictors: Predictors },
  parameters: Parameters,
): void {
  const seen = new Set<string>();
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.kind === "choice" || parameter.weighs === undefined) continue;
    const { predictor, field, label } = parameter.weighs;
    const held = getOwn<Predictors[string]>(predictors, predictor);
    const sources = held?.settings.probabilities ?? {};
    const output = held?.signature.fields.output.find((each) => each.name === field);
    const labels = output === undefined ? null : labelsOf(output);
    const place = `${predictor}.${field}.${label}`;
    const isAsked = Object.hasOwn(sources, field) && labels?.has(label) === true;
    if (isAsked && !seen.has(place)) {
      seen.add(place);
      continue;
    }
    throw new EspalierError({
      code: "program-invalid",
      problem: `The parameter "${name}" cannot be used as a label weight`,
      where: `program "${program}"`,
      expected: isAsked
        ? "one weight for each label"
        : "a label of an output that its predictor lists in `probabilities`",
      got: place,
    });
  }
}
