import type { Tool, Trainset } from "../../contract/index.ts";
import type { Field, FieldShape } from "../../signature/index.ts";
import type { Parameter, Predictors } from "../../program/index.ts";
import type { Declared } from "../load/choose-study.ts";
import { datasetText } from "../artifact/artifact-text.ts";
import { demonstrationsText } from "../terminal/component-changes.ts";
import { joinLines } from "../terminal/terminal.ts";

/** A study or a program as plain data, as `espalier show STUDY --json` prints it. */
export function studyData({ name, program, trainset, objective, variants }: Declared): object {
  return {
    ...(name !== undefined && { study: name }),
    program: { name: program.name, version: program.version },
    predictors: Object.fromEntries(
      Object.entries(program.predictors).map(([key, predictor]: [string, Predictors[string]]) => [
        key,
        {
          kind: predictor.kind,
          driver: predictor.driver.name,
          signature: predictor.signature.name,
          hash: predictor.signature.hash,
          fields: predictor.signature.fields,
          settings: predictor.settings,
          ...(predictor.driver.tools && { tools: predictor.driver.tools.map(toolData) }),
        },
      ]),
    ),
    parameters: program.parameters,
    components: program.components(),
    ...(trainset && {
      trainset: {
        name: trainset.name,
        version: trainset.version,
        licence: trainset.licence,
        checksum: trainset.checksum,
        splits: Object.fromEntries(
          Object.entries(trainset.splits).map(([split, examples]) => [split, examples.length]),
        ),
      },
    }),
    ...(objective && { objective: { name: objective.name, version: objective.version } }),
    ...(trainset && { variants: Object.keys(variants ?? {}) }),
  };
}

/** Formats a study or a program as text. */
export function studyText({ name, program, trainset, objective, variants = {} }: Declared): string {
  const others = Object.keys(variants);
  const named = `program ${program.name} ${program.version}`;
  return joinLines([
    objective ? `${name}: ${named}, objective ${objective.name}` : named,
    ...(trainset ? [trainsetText(trainset)] : []),
    ...(others.length === 0 ? [] : [`other trainsets, by --trainset: ${others.join(", ")}`]),
    ...Object.entries(program.predictors).flatMap(
      ([key, predictor]: [string, Predictors[string]]) => [
        "",
        `${key} = ${predictor.kind}(${predictor.signature.name})  ${predictor.signature.hash.slice(0, 12)}`,
        ...predictor.signature.fields.input.map((field) => `  in   ${fieldText(field)}`),
        ...predictor.signature.fields.output.map((field) => `  out  ${fieldText(field)}`),
        ...(predictor.driver.tools ?? []).map(toolText),
        ...demonstrationsText(predictor.demos.length, predictor.nearest),
        ...predictor.instruction.split("\n").map((line) => `  | ${line}`),
      ],
    ),
    ...(Object.keys(program.parameters).length === 0 ? [] : ["", "parameters"]),
    ...Object.entries(program.parameters).map(
      ([key, parameter]) =>
        `  ${key} = ${String(program.parameterValues[key])}  ${rangeText(parameter)}`,
    ),
  ]);
}

function trainsetText(trainset: Trainset): string {
  const { train, val, test } = trainset.splits;
  return `trainset ${datasetText(trainset)}: ${train.length} train, ${val.length} val, ${test.length} test`;
}

function toolData({ name, description, version, parameters, hasSideEffects }: Tool): object {
  return { name, description, version, parameters, hasSideEffects };
}

/** As the study declares it: a candidate's descriptions are its components. */
function toolText({ name, description, hasSideEffects }: Tool): string {
  return `  tool  ${name}: ${description}${hasSideEffects ? " (has side effects)" : ""}`;
}

function fieldText({ name, description, shape, isOptional }: Field): string {
  const kind = `${shapeText(shape)}${isOptional ? ", optional" : ""}`;
  return description === "" ? `${name} (${kind})` : `${name} (${kind}): ${description}`;
}

function shapeText(shape: FieldShape): string {
  switch (shape.kind) {
    case "text":
      return shape.role ?? "text";
    case "label":
      return shape.options.join(" | ");
    case "number":
      return shape.integer ? "whole number" : "number";
    case "list":
      return `list of ${shapeText(shape.items)}`;
    case "constant":
      return shape.values.join(" | ");
    case "tuple":
      return `[${shape.items.map(shapeText).join(", ")}]`;
    case "record":
      return `record of ${shapeText(shape.values)}`;
    case "union":
      return shape.of.map(shapeText).join(" or ");
    case "reference":
      return `recursive ${shape.to}`;
    case "object":
      return `{ ${shape.fields.map(({ name }) => name).join(", ")} }`;
    case "nullable":
      return `${shapeText(shape.of)} or null`;
    default:
      return shape.kind;
  }
}

function rangeText(parameter: Parameter): string {
  const range =
    parameter.kind === "choice"
      ? `one of ${parameter.options.join(", ")}`
      : `${parameter.kind} from ${parameter.min} to ${parameter.max}${parameter.isLogScale ? ", log scale" : ""}`;
  const conditions = Object.entries(parameter.when ?? {}).map(
    ([name, value]) => `${name} is ${value}`,
  );
  return conditions.length === 0 ? range : `${range}, matters when ${conditions.join(" and ")}`;
}
