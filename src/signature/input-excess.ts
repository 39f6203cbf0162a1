import type { z } from "zod";
import type { FieldSchemas } from "./field-values.ts";
import { definitionOf } from "./zod-definition.ts";

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

/** The longest text that any of the fields accepts. */
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

function excessIn(given: z.ZodType, value: unknown, place: Place): InputExcess | null {
  const schema = innermost(given);
  const { type, element, shape } = definitionOf(schema);
  const { path, longest: most } = place;
  if (type === "string" && typeof value === "string") {
    const longest = maximumOf(schema) ?? most;
    if (value.length <= longest) return null;
    return { path: path.map(String).join("."), length: value.length, longest };
  }
  if (type === "array" && Array.isArray(value) && element !== undefined) {
    for (const [index, item] of value.entries()) {
      const excess = excessIn(element, item, { path: [...path, index], longest: most });
      if (excess !== null) return excess;
    }
  }
  return shape === undefined ? null : excessInFields(shape, value, place);
}

function longestIn(given: z.ZodType, longest: number): number {
  const schema = innermost(given);
  const { type, element, shape = {} } = definitionOf(schema);
  if (type === "string") return maximumOf(schema) ?? longest;
  return element === undefined ? longestText(shape, longest) : longestIn(element, longest);
}

/** Strips optional, nullable and read-only wrappers. */
function innermost(schema: z.ZodType): z.ZodType {
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? schema : innermost(innerType);
}

function maximumOf(schema: z.ZodType): number | undefined {
  const checks = (definitionOf(schema).checks ?? []).map((holder) => holder._zod.def);
  const maxima = checks.flatMap(({ check, maximum, length }) =>
    check === "max_length" ? (maximum ?? []) : check === "length_equals" ? (length ?? []) : [],
  );
  return maxima.length === 0 ? undefined : Math.min(...maxima);
}
