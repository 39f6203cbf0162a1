import type {
  Gold,
  GoldPart,
  Metric,
  Trainset,
  Component,
  Example,
  JsonObject,
} from "../../contract/index.ts";
import { getOwn, isObject } from "../../internal/index.ts";
import { predictorOf } from "../candidate/components.ts";
import type { SearchSpace } from "./search-space.ts";
import type { TunableProgram } from "../../program/index.ts";

/** What is optimized, such as a study. */
export interface OptimizerTask<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  readonly program: TunableProgram<TInput, TOutput>;
  /** `train` gives feedback, `val` selects; `test` is never touched. */
  readonly trainset: Trainset<TInput, TLabels>;
  readonly objective: Metric<TInput, TOutput, TLabels>;
  /** Only of examples of `train`. @default none */
  readonly gold?: Gold<TInput, TLabels>;
}

/** The search space of a program's components, on the examples of its trainset. */
export function programSpace<TInput, TOutput, TLabels>({
  program,
  trainset,
  objective,
  gold,
}: Pick<
  OptimizerTask<TInput, TOutput, TLabels>,
  "program" | "trainset" | "gold" | "objective"
>): SearchSpace {
  const canScore = (example: Example<TInput, TLabels>): boolean =>
    objective.appliesTo?.(example) ?? true;
  const splits = {
    train: trainset.splits.train.filter(canScore),
    val: trainset.splits.val.filter(canScore),
  };
  const leftOut = {
    train: trainset.splits.train.length - splits.train.length,
    val: trainset.splits.val.length - splits.val.length,
  };
  const examples = new Map(splits.train.map((example) => [example.id, example]));
  const all = new Map(
    [...splits.train, ...splits.val].map((example): readonly [string, Example] => [
      example.id,
      example,
    ]),
  );
  const goldOf = (predictor: string, exampleId: string): GoldPart | null => {
    const example = examples.get(exampleId);
    return example === undefined ? null : (getOwn(gold ?? {}, predictor)?.(example) ?? null);
  };
  const inputsOf = (predictor: string, exampleId: string): JsonObject =>
    sharedInputs(program.predictors[predictor], examples.get(exampleId)?.input);
  const labelledOutputsOf = (predictor: string, exampleId: string): JsonObject | null => {
    const given = goldOf(predictor, exampleId);
    if (given !== null && "outputs" in given) return given.outputs;
    const hasGold = Object.hasOwn(gold ?? {}, predictor);
    return hasGold ? null : outputsIn(examples.get(exampleId)?.labels, program, predictor);
  };
  return {
    name: program.name,
    components: program.components(),
    parameters: program.parameters,
    train: splits.train.map(({ id }) => id),
    val: splits.val.map(({ id }) => id),
    isMean: objective.aggregate === undefined,
    ...(leftOut.train + leftOut.val > 0 && { leftOut }),
    inputOf: (exampleId) => all.get(exampleId)?.input,
    labelsOf: (exampleId) => examples.get(exampleId)?.labels,
    clusterOf: (exampleId) => all.get(exampleId)?.cluster,
    inputsOf,
    ...(gold && { goldOf }),
    labelledOutputsOf,
    isCoveredByLabels: (exampleId) =>
      Object.entries(program.predictors).every(([name, { signature }]) => {
        const known = { ...inputsOf(name, exampleId), ...labelledOutputsOf(name, exampleId) };
        const fields = Object.keys({ ...signature.input, ...signature.output });
        return fields.every((field) => Object.hasOwn(known, field));
      }),
    ...(program.embedder && { embedder: program.embedder }),
    describe: (component) => describePlace(program, component, objective.name),
  };
}

/** The fields of a program's input that a predictor takes under the same name. */
function sharedInputs(
  predictor: TunableProgram["predictors"][string] | undefined,
  input: unknown,
): JsonObject {
  if (predictor === undefined || !isObject(input)) return {};
  const { input: fields } = predictor.signature;
  const taken = Object.entries(input).filter(
    ([name, value]) => Object.hasOwn(fields, name) && predictor.fieldProblem(name, value) === null,
  );
  return Object.fromEntries(taken) as JsonObject;
}

/**
 * The labels that are all outputs of a predictor, but for `reasoning`, and named like outputs of
 * its program; `null` if one is missing or does not fit the predictor. None for an agent: they do
 * not say how it came to its outputs.
 */
function outputsIn(
  labels: unknown,
  program: Pick<TunableProgram, "predictors" | "output">,
  name: string,
): JsonObject | null {
  const predictor = program.predictors[name];
  if (predictor === undefined || predictor.settings.agent !== undefined) return null;
  if (!isObject(labels)) return null;
  const { output } = predictor.signature;
  const names = Object.keys(output).filter((field) => field !== "reasoning");
  const isAll = names.every(
    (field) =>
      Object.hasOwn(program.output, field) &&
      Object.hasOwn(labels, field) &&
      predictor.fieldProblem(field, labels[field]) === null,
  );
  if (!isAll || names.length === 0) return null;
  return Object.fromEntries(names.map((field) => [field, labels[field]])) as JsonObject;
}

/** Describes a component's place in the program to the reflection LM, without revealing data. */
function describePlace<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  component: Component,
  objective: string,
): string {
  const { kind, path } = component;
  const name = predictorOf(component);
  const others = Object.keys(program.predictors).filter((step) => step !== name);
  const fieldsOf = (step: string, side: "input" | "output"): string => {
    const predictor = program.predictors[step];
    return (predictor?.signature.fields[side] ?? [])
      .map((field) => {
        const details = [
          predictor?.fieldType(field.name) ?? "",
          predictor?.fieldDescriptions[field.name] ?? field.description,
        ];
        const shown = details.filter((part) => part !== "").join(": ");
        return shown === "" ? `\`${field.name}\`` : `\`${field.name}\` (${shown})`;
      })
      .join(", ");
  };
  const takesAndWrites = (step: string): string =>
    `takes ${fieldsOf(step, "input") || "nothing"} and writes ${fieldsOf(step, "output")}.`;
  return [
    `The step \`${name}\` of the program \`${program.name}\`, which the metric \`${objective}\` scores, ${takesAndWrites(name)}`,
    ...(kind === "fieldDescription"
      ? [
          `What is to be improved is the description of its field \`${path.slice(name.length + 1)}\`: what the step is told of this one field.`,
        ]
      : []),
    ...(kind === "toolDescription"
      ? [
          `What is to be improved is the description of its tool \`${path.slice(name.length + 1)}\`, or of an argument of it: what the step is told of when and how to call it.`,
        ]
      : []),
    ...(others.length === 0
      ? ["It is the only step."]
      : [
          `The instruction steers \`${name}\` alone. The other steps:`,
          ...others.map((step) => `- \`${step}\` ${takesAndWrites(step)}`),
        ]),
  ].join("\n");
}
