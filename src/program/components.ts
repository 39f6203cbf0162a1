import type { Candidate, Component, JsonObject, ParameterValue } from "../contract/index.ts";
import { parameterProblem } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { componentId, getOwn } from "../internal/index.ts";
import type { Parameters, Predictors } from "./call.ts";
import type { Predictor } from "./predictor/predictor.ts";
import type { PredictorTexts } from "./predictor/predictor-texts.ts";

export interface Parts {
  readonly predictors: Predictors;
  readonly parameters: Parameters;
  readonly values: Readonly<Record<string, ParameterValue>>;
}

/** Every component with its current value: predictors in declared order, then parameters. */
export function componentsOf({
  predictors,
  values,
}: Omit<Parts, "parameters">): readonly Component[] {
  const ofPredictors = Object.entries(predictors).flatMap(([path, predictor]): Component[] => [
    { kind: "instruction", path, value: predictor.instruction },
    {
      kind: "demos",
      path,
      value: predictor.demos,
      ...(predictor.nearest && { nearest: predictor.nearest }),
    },
    ...[...predictor.signature.fields.input, ...predictor.signature.fields.output].map(
      ({ name, description }): Component => ({
        kind: "fieldDescription",
        path: `${path}.${name}`,
        value: getOwn(predictor.fieldDescriptions, name) ?? description,
      }),
    ),
    ...toolTextsOf(predictor).map(({ name, description }): Component => ({
      kind: "toolDescription",
      path: `${path}.${name}`,
      value: getOwn(predictor.toolDescriptions, name) ?? description,
    })),
  ]);
  const ofParameters = Object.entries(values).map(([path, value]): Component => ({
    kind: "parameter",
    path,
    value,
  }));
  return [...ofPredictors, ...ofParameters];
}

/**
 * Replaces the components that a candidate names and keeps the others.
 *
 * @throws EspalierError `component-unknown`, `component-invalid`, `parameter-unknown`,
 *   `parameter-invalid`
 */
export function applyCandidate(parts: Parts, candidate: Candidate): Omit<Parts, "parameters"> {
  const texts = new Map<string, Partial<PredictorTexts>>();
  const values: Record<string, ParameterValue> = { ...parts.values };
  const seen = new Set<string>();
  for (const component of candidate) {
    const id = componentId(component);
    if (seen.has(id)) throw invalid(component, "one value for each component", "two values for it");
    seen.add(id);
    if (component.kind === "parameter") {
      values[component.path] = checkedParameter(parts.parameters, component.path, component.value);
      continue;
    }
    const [name = "", ...fields] = component.path.split(".");
    const field = fields.length === 0 ? undefined : fields.join(".");
    const before = texts.get(name) ?? {};
    texts.set(name, {
      ...before,
      ...textsOf(component, field, getOwn(parts.predictors, name), before),
    });
  }
  const predictors = Object.fromEntries(
    Object.entries(parts.predictors).map(([name, predictor]) => {
      const changed = texts.get(name);
      return [name, changed === undefined ? predictor : predictor.withTexts(changed)];
    }),
  );
  return { predictors, values };
}

function textsOf(
  component: Exclude<Component, { readonly kind: "parameter" }>,
  field: string | undefined,
  predictor: Predictors[string] | undefined,
  before: Partial<PredictorTexts>,
): Partial<PredictorTexts> {
  if (predictor === undefined || isOfField(component) !== (field !== undefined)) {
    throw unknown(component);
  }
  switch (component.kind) {
    case "instruction":
      if (component.value.trim() === "") throw invalid(component, "a text", "an empty one");
      return { instruction: component.value };
    case "demos":
      return { demos: component.value, nearest: component.nearest ?? null };
    case "fieldDescription": {
      const name = field ?? "";
      if (!Object.hasOwn(predictor.signature.fieldHashes, name)) throw unknown(component);
      const descriptions = before.fieldDescriptions ?? predictor.fieldDescriptions;
      return { fieldDescriptions: { ...descriptions, [name]: component.value } };
    }
    case "toolDescription": {
      const name = field ?? "";
      if (!toolTextsOf(predictor).some((text) => text.name === name)) throw unknown(component);
      if (component.value.trim() === "" && !name.includes(".")) {
        throw invalid(component, "a text", "an empty one");
      }
      const descriptions = before.toolDescriptions ?? predictor.toolDescriptions;
      return { toolDescriptions: { ...descriptions, [name]: component.value } };
    }
  }
}

function isOfField({ kind }: Component): boolean {
  return kind === "fieldDescription" || kind === "toolDescription";
}

function checkedParameter(
  parameters: Parameters,
  name: string,
  value: ParameterValue,
): ParameterValue {
  const parameter = getOwn(parameters, name);
  if (parameter === undefined) {
    throw new EspalierError({
      code: "parameter-unknown",
      problem: `There is no tunable parameter "${name}"`,
      expected:
        Object.keys(parameters)
          .map((known) => `"${known}"`)
          .join(", ") || "none: the program has no parameters",
    });
  }
  const expected = parameterProblem(parameter, value);
  if (expected === null) return value;
  throw new EspalierError({
    code: "parameter-invalid",
    problem: `The parameter "${name}" cannot take this value`,
    expected,
    got: JSON.stringify(value),
  });
}

function unknown({ kind, path }: Component): EspalierError {
  return new EspalierError({
    code: "component-unknown",
    problem: `The program has no ${kind} component "${path}"`,
    expected:
      "the name of a predictor, `predictor.field` for a field description, or `predictor.tool` for a tool description",
    fix: "List them with `program.components()`",
  });
}

function invalid({ kind, path }: Component, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "component-invalid",
    problem: `The ${kind} component "${path}" cannot be applied`,
    expected,
    got,
  });
}

/**
 * The texts that an agent's tools show, with the tools' own descriptions: of each tool under its
 * name, and of each described argument under `tool.argument`. None for other predictors.
 */
function toolTextsOf({
  driver,
}: Pick<Predictor, "driver">): readonly { readonly name: string; readonly description: string }[] {
  return (driver.tools ?? []).flatMap(({ name, description, parameters }) => [
    { name, description },
    ...Object.entries((parameters["properties"] ?? {}) as JsonObject).map(([argument, schema]) => ({
      name: `${name}.${argument}`,
      description: ((schema as JsonObject)["description"] ?? "") as string,
    })),
  ]);
}
