import { fieldMeta } from "./field-types.ts";
import type { FieldSchema, FieldSchemas } from "./schema/field-values.ts";
import { definitionOf, innerOf, partsOf } from "./schema/zod-definition.ts";

/** A text that is longer than its field allows. */
export interface InputExcess {
  /** Field by field: `history.3.text`. */
  readonly path: string;
  /** In UTF-16 code units. */
  readonly length: number;
  readonly longest: number;
}

/**
 * The first text that is longer than its field allows, or than `longest` if the field sets no
 * maximum. Parts of a value that do not match their schema are skipped.
 */
export function inputExcess(
  fields: FieldSchemas,
  values: unknown,
  longest: number,
): InputExcess | null {
  return excessInFields(fields, values, { path: [], longest });
}

export function longestText(fields: FieldSchemas, longest: number): number {
  return Math.max(longest, ...Object.values(fields).map((field) => longestIn(field, longest)));
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly longest: number;
}

function excessInFields(
  fields: FieldSchemas,
  values: unknown,
  { path, longest }: Place,
): InputExcess | null {
  if (typeof values !== "object" || values === null) return null;
  for (const [key, field] of Object.entries(fields)) {
    const excess = excessIn(field, Reflect.get(values, key), { path: [...path, key], longest });
    if (excess !== null) return excess;
  }
  return null;
}

function excessIn(given: FieldSchema, value: unknown, place: Place): InputExcess | null {
  const schema = innermost(given);
  const { type, element, shape, options = [], items = [], rest, valueType } = definitionOf(schema);
  const { path, longest: most } = place;
  if (type === "string" && typeof value === "string") {
    // An image has a limit of its own.
    if (fieldMeta.get(schema as never)?.fieldKind === "image") return null;
    const longest = maximumOf(schema) ?? most;
    if (value.length <= longest) return null;
    return { path: path.map(String).join("."), length: value.length, longest };
  }
  if (options.length > 0) return excessInUnion(options, value, place);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const held = element ?? items[index] ?? rest;
      const excess = held ? excessIn(held, item, { path: [...path, index], longest: most }) : null;
      if (excess !== null) return excess;
    }
    return null;
  }
  if (valueType !== undefined && typeof value === "object" && value !== null) {
    const fields = Object.fromEntries(Object.keys(value).map((key) => [key, valueType]));
    return excessInFields(fields, value, place);
  }
  return shape === undefined ? null : excessInFields(shape, value, place);
}

/** A text in a union is too long only where every member that holds a text there finds it so. */
function excessInUnion(
  options: readonly FieldSchema[],
  value: unknown,
  place: Place,
): InputExcess | null {
  const fitting = options.filter((option) => holds(option, value));
  const found = fitting.map((option) => excessIn(option, value, place));
  return found.every((excess) => excess !== null) ? (found[0] ?? null) : null;
}

/** Whether a schema is for values of this kind, as far as the value's outside shows. */
function holds(given: FieldSchema, value: unknown): boolean {
  const { type, options } = definitionOf(innermost(given));
  if (options !== undefined) return options.some((option) => holds(option, value));
  if (typeof value === "string") return type === "string" || type === "enum" || type === "literal";
  if (Array.isArray(value)) return type === "array" || type === "tuple";
  return typeof value === "object" && value !== null && (type === "object" || type === "record");
}

function longestIn(given: FieldSchema, longest: number, seen = new Set<object>()): number {
  const definition = definitionOf(given);
  if (seen.has(definition)) return longest;
  seen.add(definition);
  const own = definition.type === "string" ? (maximumOf(given) ?? longest) : longest;
  return Math.max(own, ...partsOf(given).map((part) => longestIn(part, longest, seen)));
}

/** Strips optional, nullable, default, read-only and lazy wrappers. */
function innermost(schema: FieldSchema): FieldSchema {
  const inner = innerOf(schema);
  return inner === undefined ? schema : innermost(inner);
}

function maximumOf(schema: FieldSchema): number | undefined {
  const checks = (definitionOf(schema).checks ?? []).map((holder) => holder._zod.def);
  const maxima = checks.flatMap(({ check, maximum, length }) =>
    check === "max_length" ? (maximum ?? []) : check === "length_equals" ? (length ?? []) : [],
  );
  return maxima.length === 0 ? undefined : Math.min(...maxima);
}
