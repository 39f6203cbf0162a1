import type { Json, JsonObject, JsonSchema } from "../../../../../src/contract/index.ts";
import { propertiesOf } from "../../reading/index.ts";
import { patternedText } from "./patterned-text.ts";

/**
 * Functions that write the parts of a reply; the traversal of the schema is independent of them.
 */
export interface Writers {
  text(description: string): string;
  list(description: string, most: number): readonly string[];
  /** Numbers of available texts, such as passages; `undefined` if the list is of another kind. */
  numbers(description: string): readonly number[] | undefined;
  /** The objects of a list, one by one; `undefined` if there is nothing to say about them. */
  items(description: string): readonly ItemWriters[] | undefined;
  /** Index of the chosen label. */
  label(description: string, labels: readonly string[]): number;
  /** A known number, such as the position of an item in its list; otherwise `undefined`. */
  exactly(description: string): number | undefined;
  /** A degree in [0, 1]. */
  degree(description: string): number;
}

/** Writers for one object of a list. */
export type ItemWriters = Writers;

/** Fills a schema: every required part, within its bounds. */
export function fillSchema(schema: JsonSchema, description: string, writers: Writers): Json {
  const options = schema["enum"];
  if (Array.isArray(options) && options.length > 0) {
    return options[writers.label(description, options.map(String))] ?? null;
  }
  if (schema["const"] !== undefined) return schema["const"];
  const alternative = chosenAlternative(schema, description, writers);
  if (alternative !== undefined) return fillSchema(alternative, description, writers);
  switch (typeOf(schema)) {
    case "object":
      if (isObject(schema["additionalProperties"])) {
        return fillRecord(schema["additionalProperties"], description, writers);
      }
      return Object.fromEntries(
        propertiesOf(schema).map(([key, property]) => [
          key,
          fillSchema(property, descriptionOf(property) ?? key, writers),
        ]),
      );
    case "array":
      return fillArray(schema, description, writers);
    case "boolean":
      return writers.label(description, ["true", "false"]) === 0;
    case "integer":
    case "number":
      return filledNumber(schema, description, writers);
    case "null":
      return null;
    default:
      return textWithin(schema, writers.text(description));
  }
}

export function descriptionOf(schema: JsonSchema): string | undefined {
  const description = schema["description"];
  return typeof description === "string" && description !== "" ? description : undefined;
}

const maxEntries = 4;
const longestKey = 40;

function fillRecord(values: JsonSchema, description: string, writers: Writers): Json {
  const keys = writers.list(description, maxEntries).slice(0, maxEntries);
  return Object.fromEntries(
    keys.map((key) => [cutAtWord(key, longestKey), fillSchema(values, description, writers)]),
  );
}

function fillArray(schema: JsonSchema, description: string, writers: Writers): Json {
  if (Array.isArray(schema["prefixItems"])) {
    return (schema["prefixItems"] as readonly JsonSchema[]).map((item) =>
      fillSchema(item, descriptionOf(item) ?? description, writers),
    );
  }
  const items: JsonSchema = isObject(schema["items"]) ? schema["items"] : { type: "string" };
  const least = numeric(schema["minItems"]) ?? 0;
  const most = Math.max(least, numeric(schema["maxItems"]) ?? 32);
  const isText = typeOf(items) === "string" && items["enum"] === undefined;
  if (typeOf(items) === "integer" || typeOf(items) === "number") {
    const numbers = writers.numbers(description);
    if (numbers !== undefined && numbers.length >= least) {
      return numbers.slice(0, most).filter((value) => isWithin(items, value));
    }
  }
  if (typeOf(items) === "object") {
    const each = writers.items(description);
    if (each !== undefined && each.length >= least) {
      return each
        .slice(0, most)
        .map((writer) => fillSchema(items, descriptionOf(items) ?? description, writer));
    }
  }
  if (!isText) {
    const count = Math.min(most, Math.max(1, least));
    return Array.from({ length: count }, () =>
      fillSchema(items, descriptionOf(items) ?? description, writers),
    );
  }
  const texts = writers.list(description, most).slice(0, most);
  if (texts.length < least) return fillUp(items, texts, least);
  return texts.map((text) => textWithin(items, text));
}

function fillUp(items: JsonSchema, texts: readonly string[], least: number): Json {
  return Array.from({ length: least }, (_, index) =>
    textWithin(items, texts[index % Math.max(1, texts.length)] ?? ""),
  );
}

function textWithin(schema: JsonSchema, text: string): string {
  if (typeof schema["pattern"] === "string") return patternedText(schema["pattern"], text);
  const most = numeric(schema["maxLength"]);
  const least = numeric(schema["minLength"]) ?? 0;
  const cut = most === undefined || text.length <= most ? text : cutAtWord(text, most);
  return cut.length >= least ? cut : cut.padEnd(least, ".");
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  // A lone surrogate at the cut would not survive UTF-8.
  const head = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  const space = head.lastIndexOf(" ");
  return space > most / 2 ? head.slice(0, space) : head;
}

function filledNumber(schema: JsonSchema, description: string, writers: Writers): number {
  const known = writers.exactly(description);
  return known !== undefined && isWithin(schema, known)
    ? known
    : numberWithin(schema, writers.degree(description));
}

function numberWithin(schema: JsonSchema, degree: number): number {
  const isInteger = typeOf(schema) === "integer";
  const { least = 0, most = Math.max(least + 1, 1) } = boundsOf(schema);
  const value = least + degree * (most - least);
  const rounded = isInteger ? Math.round(value) : Math.round(value * 1_000) / 1_000;
  return Math.min(most, Math.max(least, rounded));
}

function isWithin(schema: JsonSchema, value: number): boolean {
  const { least = -Infinity, most = Infinity } = boundsOf(schema);
  return value >= least && value <= most;
}

function boundsOf(schema: JsonSchema): { readonly least?: number; readonly most?: number } {
  const step = typeOf(schema) === "integer" ? 1 : 0.01;
  const least = bound(schema, "minimum", "exclusiveMinimum", step);
  const most = bound(schema, "maximum", "exclusiveMaximum", -step);
  return { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) };
}

function bound(
  schema: JsonSchema,
  inclusive: string,
  exclusive: string,
  inward: number,
): number | undefined {
  const open = numeric(schema[exclusive]);
  return numeric(schema[inclusive]) ?? (open === undefined ? undefined : open + inward);
}

function chosenAlternative(
  schema: JsonSchema,
  description: string,
  writers: Writers,
): JsonSchema | undefined {
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(alternatives)) return undefined;
  const schemas = (alternatives as readonly Json[]).filter(isObject);
  const filled = schemas.filter((held) => typeOf(held) !== "null");
  const names = filled.map(variantName).filter((name) => name !== undefined);
  return filled.length > 1 && names.length === filled.length
    ? filled[writers.label(description, names)]
    : (filled[0] ?? schemas[0]);
}

/** What a member of a discriminated union is called: the one value of one of its keys. */
function variantName(schema: JsonSchema): string | undefined {
  for (const [, { enum: values }] of propertiesOf(schema)) {
    if (Array.isArray(values) && values.length === 1) return String(values[0]);
  }
  return undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(schema: JsonSchema): string {
  const type = schema["type"];
  if (Array.isArray(type)) return String(type.find((held: Json) => held !== "null") ?? "null");
  if (typeof type === "string") return type;
  return schema["properties"] === undefined ? "string" : "object";
}

function numeric(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
