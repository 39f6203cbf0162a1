import { z } from "zod";
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
 * The first text that is longer than its own field says, or than `longest` where the field says nothing.
 * Of a value that does not fit its schema only what does is looked at.
 */
export function inputExcess(
  fields: FieldSchemas,
  values: unknown,
  longest: number,
): InputExcess | null {
  return excessIn(z.object({ ...fields }), values, { path: [], longest });
}

/** The longest text that any of the fields takes. */
export function longestText(fields: FieldSchemas, longest: number): number {
  return longestIn(z.object({ ...fields }), longest);
}

function excessIn(
  given: z.ZodType,
  value: unknown,
  { path, longest }: { readonly path: readonly PropertyKey[]; readonly longest: number },
): InputExcess | null {
  const schema = innermost(given);
  const { type, element, shape = {} } = definitionOf(schema);
  const inside = (each: z.ZodType, key: PropertyKey, of: unknown): InputExcess | null =>
    excessIn(each, of, { path: [...path, key], longest });
  if (type === "string" && typeof value === "string") {
    const most = maximumOf(schema) ?? longest;
    if (value.length <= most) return null;
    return { path: path.map(String).join("."), length: value.length, longest: most };
  }
  if (type === "array" && Array.isArray(value) && element !== undefined) {
    for (const [index, item] of value.entries()) {
      const excess = inside(element, index, item);
      if (excess !== null) return excess;
    }
  }
  if (type === "object" && typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(shape)) {
      const excess = inside(each, key, Reflect.get(value, key));
      if (excess !== null) return excess;
    }
  }
  return null;
}

function longestIn(given: z.ZodType, longest: number): number {
  const schema = innermost(given);
  const { type, element, shape = {} } = definitionOf(schema);
  if (type === "string") return Math.max(longest, maximumOf(schema) ?? 0);
  const parts = [...(element === undefined ? [] : [element]), ...Object.values(shape)];
  return Math.max(longest, ...parts.map((part) => longestIn(part, longest)));
}

/** Without what makes it optional, nullable or read-only. */
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
