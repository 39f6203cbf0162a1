import type { JsonSchema } from "../../contract/index.ts";

/**
 * Why values of the schema `given` may not match the schema `wanted`: a phrase that names the place
 * as `$.items.0` and what is missing there, or `null` if every value matches once `projected`.
 * Understands types, properties, required, additionalProperties, items, prefixItems, enum, const,
 * anyOf, oneOf, allOf, bounds and local references; any other keyword of `wanted` is a reason.
 */
export function schemaMisfit(wanted: JsonSchema, given: JsonSchema): string | null {
  return misfit(wanted, given, {
    path: "$",
    wantedRoot: wanted,
    givenRoot: given,
    open: new Set(),
  });
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
  const kept = isOpen ? Object.entries(value).filter(([key]) => !(key in properties)) : [];
  const named = Object.entries(properties).flatMap(([key, property]) => {
    const held: unknown = Reflect.get(value, key);
    if (held === undefined && !namesIn(schema["required"]).includes(key)) return [];
    return [[key, held === undefined ? null : projected(property as JsonSchema, held, root)]];
  });
  return Object.fromEntries([...named, ...kept]);
}

interface Place {
  readonly path: string;
  readonly wantedRoot: JsonSchema;
  readonly givenRoot: JsonSchema;
  /** Pairs of references that are being compared, so that recursion ends. */
  readonly open: ReadonlySet<string>;
}

function misfit(wantedSchema: JsonSchema, givenSchema: JsonSchema, place: Place): string | null {
  const pair = JSON.stringify([wantedSchema["$ref"], givenSchema["$ref"]]);
  if (place.open.has(pair)) return null;
  const isReference = "$ref" in wantedSchema && "$ref" in givenSchema;
  const at = isReference ? { ...place, open: new Set([...place.open, pair]) } : place;
  const wanted = resolved(wantedSchema, at.wantedRoot);
  const given = resolved(givenSchema, at.givenRoot);
  const unknown = Object.keys(wanted).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) return `${at.path}: the keyword \`${unknown}\` is not supported`;
  const ofGiven = schemasIn(given["anyOf"]);
  if (ofGiven !== null) return firstOf(ofGiven, (one) => misfit(wanted, one, at));
  const options = schemasIn(wanted["anyOf"]) ?? schemasIn(wanted["oneOf"]);
  if (options !== null) {
    const problems = options.map((one) => misfit(one, given, at));
    if (!problems.includes(null)) return problems[0] ?? `${at.path}: no option`;
  }
  const all = schemasIn(wanted["allOf"]) ?? [];
  return (
    firstOf(all, (one) => misfit(one, given, at)) ??
    valueMisfit(wanted, given, at.path) ??
    objectMisfit(wanted, given, at) ??
    listMisfit(wanted, given, at) ??
    boundMisfit(wanted, given, at.path)
  );
}

function valueMisfit(wanted: JsonSchema, given: JsonSchema, path: string): string | null {
  const [allowed, made] = [valuesOf(wanted), valuesOf(given)];
  if (allowed !== null) {
    const extra = made?.find((value) => !allowed.includes(value));
    if (made === null)
      return `${path}: the model's values are not limited to ${allowed.join(", ")}`;
    if (extra !== undefined) return `${path}: the model may say ${extra}`;
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
    : `${path}: the model gives ${wrong}, not ${types.join(" or ")}`;
}

function objectMisfit(wanted: JsonSchema, given: JsonSchema, place: Place): string | null {
  const properties = isSchema(wanted["properties"]) ? wanted["properties"] : {};
  const made = isSchema(given["properties"]) ? given["properties"] : {};
  if (!typesOf(given).includes("object")) return null;
  const missing = namesIn(wanted["required"]).find((name) => !(name in made));
  if (missing !== undefined) {
    return `${place.path}: the model gives no \`${missing}\`, but ${Object.keys(made)
      .map((name) => `\`${name}\``)
      .join(", ")}`;
  }
  return firstOf(Object.entries(properties), ([name, property]) => {
    const held = made[name];
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
        : `${path}: the model does not promise \`${name}\` ${JSON.stringify(asked)}`;
    }
    const isHeld = typeof made === "number" && isTighter(made, Number(asked));
    // zod writes the range of safe integers, which every integer here is in.
    const isSafe = types.includes("integer") && Math.abs(Number(asked)) === Number.MAX_SAFE_INTEGER;
    return isHeld || isSafe || (asked === 0 && !numbers.some((type) => types.includes(type)))
      ? null
      : `${path}: the model does not promise \`${name}\` ${JSON.stringify(asked)}`;
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

export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const [, kind = "", name = ""] = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference) ?? [];
  const found = (root[kind] as Readonly<Record<string, unknown>> | undefined)?.[name];
  return reference === "#" ? root : isSchema(found) ? found : {};
}

function schemasIn(value: unknown): readonly JsonSchema[] | null {
  return Array.isArray(value) ? value.filter(isSchema) : null;
}

export function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstOf<TItem>(
  items: readonly TItem[],
  problemOf: (item: TItem) => string | null,
): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}
