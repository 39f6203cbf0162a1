import type { z } from "zod";
import { definitionOf } from "./zod-definition.ts";

/**
 * Drops each `null` that stands for an absent optional field, at any depth: the JSON schema
 * requires every property, so a model can leave one out only by writing `null`. Values whose type
 * differs from the schema's are returned unchanged, for zod to reject.
 */
export function withoutNulls(value: unknown, schema: z.ZodType): unknown {
  const { type, innerType, element, shape } = definitionOf(schema);
  if (innerType !== undefined) return withoutNulls(value, innerType);
  if (type === "array" && element !== undefined && Array.isArray(value)) {
    return value.map((item) => withoutNulls(item, element));
  }
  if (shape === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, held]];
      return held === null && isAbsentAsNull(field) ? [] : [[name, withoutNulls(held, field)]];
    }),
  );
}

function isAbsentAsNull(field: z.ZodType): boolean {
  return field.safeParse(undefined).success && !field.safeParse(null).success;
}
