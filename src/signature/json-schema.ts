import type { JsonObject, JsonSchema } from "../contract/index.ts";
import type { Field, FieldShape, TextShape, TupleShape } from "./schema/field-shape.ts";

/** Without a bound, constrained decoding can fill the whole context with one string or list. */
const defaultMaxLength = 4_000;
const defaultMaxItems = 32;

/**
 * JSON Schema of an object with these fields, in their order, since constrained decoders generate
 * in schema order. Every property is required and additional ones are forbidden, as strict mode
 * demands; an optional field may be `null`. Recursive shapes are in `$defs`.
 */
export function jsonSchemaOf(fields: readonly Field[]): JsonSchema {
  const definitions = fields.flatMap((field) => Object.entries(field.definitions ?? {}));
  const schema = objectSchema(fields);
  if (definitions.length === 0) return schema;
  const $defs = Object.fromEntries(definitions.map(([name, shape]) => [name, schemaOf(shape)]));
  return { ...schema, $defs };
}

function objectSchema(fields: readonly Field[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.map((field) => field.name),
    additionalProperties: false,
  };
}

function propertyOf({ description, shape, isOptional }: Field): JsonSchema {
  const schema =
    isOptional && shape.kind !== "nullable"
      ? schemaOf({ kind: "nullable", of: shape })
      : schemaOf(shape);
  if (description === "") return schema;
  // Strict modes allow no other key beside a reference.
  return "$ref" in schema ? { anyOf: [schema], description } : { ...schema, description };
}

function schemaOf(shape: FieldShape): JsonSchema {
  switch (shape.kind) {
    case "text":
      return {
        type: "string",
        ...present("minLength", shape.minLength),
        ...(isDecodable(shape.pattern)
          ? { pattern: shape.pattern }
          : { maxLength: longestOf(shape) }),
      };
    case "label":
      return { type: "string", enum: shape.options };
    case "number":
      return {
        type: shape.integer ? "integer" : "number",
        ...present("minimum", shape.minimum),
        ...present("maximum", shape.maximum),
        ...present("exclusiveMinimum", shape.exclusiveMinimum),
        ...present("exclusiveMaximum", shape.exclusiveMaximum),
        ...present("multipleOf", shape.multipleOf),
      };
    case "boolean":
      return { type: "boolean" };
    case "image":
      return { type: "string" };
    case "list":
      return {
        type: "array",
        items: schemaOf(shape.items),
        ...present("minItems", shape.minItems),
        maxItems: shape.maxItems ?? Math.max(defaultMaxItems, shape.minItems ?? 0),
      };
    case "tuple":
      return tupleSchema(shape);
    case "object":
      return objectSchema(shape.fields);
    case "record":
      // Grammars follow no rule for names; zod checks them.
      return { type: "object", additionalProperties: schemaOf(shape.values) };
    case "union":
      return { anyOf: shape.of.map(schemaOf) };
    case "constant":
      return { enum: shape.values };
    case "reference":
      return { $ref: `#/$defs/${shape.to}` };
    case "nullable":
      return { anyOf: [schemaOf(shape.of), { type: "null" }] };
    case "passages":
      return recordsOf({
        id: boundedText,
        title: { anyOf: [boundedText, { type: "null" }] },
        text: boundedText,
        ...(shape.ranked === true ? { score: { type: "number" } } : {}),
      });
    case "conversation":
      return recordsOf({
        speaker: { type: "string", enum: ["user", "assistant"] },
        text: boundedText,
      });
  }
}

function longestOf({ minLength = 0, maxLength, schemaMaxLength }: TextShape): number {
  return maxLength ?? Math.max(schemaMaxLength ?? defaultMaxLength, minLength);
}

function tupleSchema({ items, rest }: TupleShape): JsonSchema {
  return {
    type: "array",
    prefixItems: items.map(schemaOf),
    items: rest === undefined ? false : schemaOf(rest),
    minItems: items.length,
    maxItems: rest === undefined ? items.length : items.length + defaultMaxItems,
  };
}

const boundedText = { type: "string", maxLength: defaultMaxLength } as const;

function recordsOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "array",
    items: {
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    maxItems: defaultMaxItems,
  };
}

// Grammar compilers reject look-around, and a pattern combined with a length; zod checks both
// anyway.
function isDecodable(pattern: string | undefined): pattern is string {
  return pattern !== undefined && !/\(\?<?[=!]/.test(pattern);
}

function present(key: string, value: string | number | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

/**
 * The most tokens that a reply with these fields takes, since none is less than a byte, with room
 * for blanks, a code fence, and a thought of a model that thinks though it is told not to; infinite
 * where a field has no bound.
 */
export function longestReply(fields: readonly Field[]): number {
  return 1_024 + 2 * bytesOf({ kind: "object", fields });
}

function bytesOf(shape: FieldShape): number {
  switch (shape.kind) {
    case "text":
      // JSON may escape each UTF-16 code unit: `\u00fc`.
      return 2 + 6 * (shape.maxLength ?? shape.schemaMaxLength ?? Number.POSITIVE_INFINITY);
    case "label":
      return Math.max(...shape.options.map((option) => 2 + 6 * option.length));
    case "number":
    case "boolean":
    case "constant":
      return 32;
    case "list":
      return 2 + (shape.maxItems ?? Number.POSITIVE_INFINITY) * (1 + bytesOf(shape.items));
    case "object":
      return bracketed(
        shape.fields.map((field) => 12 + 6 * field.name.length + bytesOf(field.shape)),
      );
    case "tuple":
      return shape.rest === undefined
        ? bracketed(shape.items.map((item) => 1 + bytesOf(item)))
        : Number.POSITIVE_INFINITY;
    case "union":
      return Math.max(...shape.of.map(bytesOf));
    case "nullable":
      return 4 + bytesOf(shape.of);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function bracketed(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 2);
}
