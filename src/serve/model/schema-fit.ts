import type { JsonSchema } from "../../contract/index.ts";
import { getOwn } from "../../internal/index.ts";
import {
  firstOf,
  isSchema,
  maxNested,
  namesIn,
  nestedTooDeeply,
  referenceProblem,
  resolved,
  schemasIn,
  targetOf,
} from "./schema-references.ts";
import { EspalierError } from "../../errors/index.ts";
import { describeFields, jsonSchemaOf } from "../../signature/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { ChatModel } from "./chat-model.ts";

/**
 * Why values of the schema `given` may not match the schema `wanted`: a phrase that names the place
 * as `$.items.0` and what is missing there, or `null` if every value matches once `projected`.
 * Understands types, properties, required, additionalProperties, items, prefixItems, enum, const,
 * anyOf, oneOf, allOf, bounds and local references; any other keyword of `wanted` is a reason, and
 * so are references that lead nowhere, and a schema that takes too long to compare.
 */
export function schemaMisfit(wanted: JsonSchema, given: JsonSchema): string | null {
  const [wantedRoot, givenRoot] = [wanted, given];
  return (
    referenceProblem(wanted) ??
    misfit(wanted, given, { path: "$", wantedRoot, givenRoot, open: [], work: { steps: 0 } })
  );
}

/**
 * The value without the properties that `wanted` forbids; what the value leaves out and `wanted`
 * requires is `null`.
 */
export function projected(wanted: JsonSchema, value: unknown, root: JsonSchema = wanted): unknown {
  const schema = resolved(wanted, root);
  if (Array.isArray(value)) {
    const items = schema["items"];
    return isSchema(items) ? value.map((each) => projected(items, each, root)) : value;
  }
  const properties = schema["properties"];
  if (typeof value !== "object" || value === null || !isSchema(properties)) return value;
  const isOpen = schema["additionalProperties"] !== false;
  const kept = isOpen
    ? Object.entries(value).filter(([key]) => !Object.hasOwn(properties, key))
    : [];
  const required = new Set(namesIn(schema["required"]));
  const named = Object.entries(properties).flatMap(([key, property]) => {
    const held = getOwn<unknown>(value as Readonly<Record<string, unknown>>, key);
    if (held === undefined && !required.has(key)) return [];
    return [[key, held === undefined ? null : projected(property as JsonSchema, held, root)]];
  });
  return Object.fromEntries([...named, ...kept]);
}

/** As many as a body may have values; some 40 ms. */
const maxSteps = 20_000;

interface Place {
  readonly path: string;
  readonly wantedRoot: JsonSchema;
  readonly givenRoot: JsonSchema;
  /** Pairs that are being compared, outermost first: where one comes again, the recursion ends. */
  readonly open: readonly (readonly [wanted: JsonSchema, given: JsonSchema])[];
  /** References multiply the parts of a schema, so its size does not limit the steps. */
  readonly work: { steps: number };
}

function misfit(wanted: JsonSchema, givenSchema: JsonSchema, place: Place): string | null {
  const given = resolved(givenSchema, place.givenRoot);
  if (place.open.some(([one, other]) => one === wanted && other === given)) return null;
  if (place.open.length > maxNested) return nestedTooDeeply;
  place.work.steps += 1 + entriesOf(wanted);
  if (place.work.steps > maxSteps) return `comparing it takes more than ${maxSteps} steps`;
  const at: Place = { ...place, open: [...place.open, [wanted, given]] };
  const unknown = Object.keys(wanted).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) return `${at.path}: the keyword \`${unknown}\` is not supported`;
  const ofGiven = schemasIn(given["anyOf"]);
  if (ofGiven !== null) return firstOf(ofGiven, (one) => misfit(wanted, one, at));
  const { $ref: reference, ...beside } = wanted;
  if (reference !== undefined) {
    const target = targetOf(reference, at.wantedRoot) ?? {};
    return misfit(target, given, at) ?? misfit(beside, given, at);
  }
  const choices = [wanted["anyOf"], wanted["oneOf"]].map(schemasIn).filter((one) => one !== null);
  return (
    firstOf(choices, (options) => optionMisfit(options, given, at)) ??
    firstOf(schemasIn(wanted["allOf"]) ?? [], (one) => misfit(one, given, at)) ??
    valueMisfit(wanted, given, at.path) ??
    objectMisfit(wanted, given, at) ??
    listMisfit(wanted, given, at) ??
    boundMisfit(wanted, given, at.path)
  );
}

function entriesOf({ properties, required, enum: values }: JsonSchema): number {
  const counts = [properties, required, values].map((held) =>
    typeof held === "object" && held !== null ? Object.keys(held).length : 0,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Why no option fits: what is wrong with the first. */
function optionMisfit(options: readonly JsonSchema[], given: JsonSchema, at: Place): string | null {
  let first: string | undefined;
  for (const option of options) {
    const problem = misfit(option, given, at);
    if (problem === null) return null;
    first ??= problem;
  }
  return first ?? `${at.path}: no option`;
}

function valueMisfit(wanted: JsonSchema, given: JsonSchema, path: string): string | null {
  const [allowed, made] = [valuesOf(wanted), valuesOf(given)];
  if (allowed !== null) {
    const extra = made?.find((value) => !allowed.includes(value));
    if (made === null)
      return `${path}: the model's values are not limited to ${allowed.join(", ")}`;
    if (extra !== undefined) return `${path}: the model may return ${extra}`;
  }
  const types = namesIn(wanted["type"]);
  if (types.length === 0) return null;
  const madeTypes = typesOf(given);
  if (madeTypes.length === 0) return `${path}: the model's values have no single type`;
  const wrong = madeTypes.find(
    (type) => !types.includes(type) && !(type === "integer" && types.includes("number")),
  );
  return wrong === undefined
    ? null
    : `${path}: the model returns ${wrong}, not ${types.join(" or ")}`;
}

function objectMisfit(wanted: JsonSchema, given: JsonSchema, place: Place): string | null {
  const properties = isSchema(wanted["properties"]) ? wanted["properties"] : {};
  const made = isSchema(given["properties"]) ? given["properties"] : {};
  if (!typesOf(given).includes("object")) return null;
  const missing = namesIn(wanted["required"]).find((name) => !Object.hasOwn(made, name));
  if (missing !== undefined) {
    return `${place.path}: the model returns no \`${missing}\`, but ${Object.keys(made)
      .map((name) => `\`${name}\``)
      .join(", ")}`;
  }
  return firstOf(Object.entries(properties), ([name, property]) => {
    const held = getOwn(made, name);
    if (!isSchema(held) || !isSchema(property)) return null;
    return misfit(property, held, { ...place, path: `${place.path}.${name}` });
  });
}

function listMisfit(wanted: JsonSchema, given: JsonSchema, place: Place): string | null {
  const items = wanted["items"];
  if (!typesOf(given).includes("array") || !isSchema(items)) return null;
  const made = [
    ...(schemasIn(given["prefixItems"]) ?? []),
    ...(isSchema(given["items"]) ? [given["items"]] : []),
  ];
  return firstOf(made, (one) => misfit(items, one, { ...place, path: `${place.path}.items` }));
}

function boundMisfit(wanted: JsonSchema, given: JsonSchema, path: string): string | null {
  const types = typesOf(given);
  const bounds = Object.entries(limits).filter(
    ([name, { of }]) => name in wanted && of.some((type) => types.includes(type)),
  );
  return firstOf(bounds, ([name, { isTighter }]) => {
    const [asked, made] = [wanted[name], given[name]];
    if (name === "pattern" || name === "format") {
      return asked === made
        ? null
        : `${path}: the model does not guarantee \`${name}\` ${JSON.stringify(asked)}`;
    }
    const isHeld = typeof made === "number" && isTighter(made, Number(asked));
    // zod writes the range of safe integers, which every integer here is in.
    const isSafe = types.includes("integer") && Math.abs(Number(asked)) === Number.MAX_SAFE_INTEGER;
    return isHeld || isSafe || (asked === 0 && !numbers.some((type) => types.includes(type)))
      ? null
      : `${path}: the model does not guarantee \`${name}\` ${JSON.stringify(asked)}`;
  });
}

const atLeast = (made: number, asked: number): boolean => made >= asked;
const atMost = (made: number, asked: number): boolean => made <= asked;
const text = ["string"] as const;
const numbers = ["number", "integer"] as const;
const list = ["array"] as const;
const limits: Readonly<
  Record<
    string,
    { readonly of: readonly string[]; readonly isTighter: (made: number, asked: number) => boolean }
  >
> = {
  minLength: { of: text, isTighter: atLeast },
  maxLength: { of: text, isTighter: atMost },
  pattern: { of: text, isTighter: atLeast },
  format: { of: text, isTighter: atLeast },
  minimum: { of: numbers, isTighter: atLeast },
  exclusiveMinimum: { of: numbers, isTighter: atLeast },
  maximum: { of: numbers, isTighter: atMost },
  exclusiveMaximum: { of: numbers, isTighter: atMost },
  minItems: { of: list, isTighter: atLeast },
  maxItems: { of: list, isTighter: atMost },
};

/** Those that are read, and those that say nothing about values. */
const known = new Set([
  ...Object.keys(limits),
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "$defs",
  "definitions",
  "$schema",
  "$id",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
]);

function valuesOf(schema: JsonSchema): readonly string[] | null {
  if ("const" in schema) return [JSON.stringify(schema["const"])];
  const options = schema["enum"];
  return Array.isArray(options) ? options.map((one) => JSON.stringify(one)) : null;
}

function typesOf(schema: JsonSchema): readonly string[] {
  const named = namesIn(schema["type"]);
  if (named.length > 0) return named;
  return [...new Set((valuesOf(schema) ?? []).map((one) => typeOf(JSON.parse(one))))];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** The whole output of a program as a client wants it: JSON, with a schema or without. */
export interface OutputFormat {
  readonly schema?: JsonSchema;
  /** What the client calls the schema. */
  readonly name?: string;
}

/**
 * Writes outputs of the model's program as JSON, with the properties that the schema allows.
 *
 * @param param the parameter with the schema, for the error
 * @throws ApiError 400, naming the first place where the program's outputs may not match
 */
export function structuredOutput(
  model: ChatModel,
  { schema }: OutputFormat,
  param: string,
): (output: unknown) => string {
  const given = outputSchema(model);
  const problem =
    given === null
      ? "the output of this model has no JSON schema"
      : schema === undefined
        ? null
        : schemaMisfit(schema, given);
  if (problem !== null) {
    const message = `\`${param}\`: this model cannot answer in this format: ${problem}.`;
    throw new ApiError(400, "unsupported_parameter", message, { param });
  }
  const shape = schema ?? given ?? {};
  return (output) => JSON.stringify(projected(shape, output));
}

/** `null` if a field cannot be described. */
function outputSchema({ program: { name, output } }: ChatModel): JsonSchema | null {
  try {
    return jsonSchemaOf(describeFields(output, `program "${name}", output`));
  } catch (error) {
    if (EspalierError.isInstance(error)) return null;
    throw error;
  }
}
