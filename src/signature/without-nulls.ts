import { z } from "zod";
import { isObject } from "../internal/index.ts";
import type { FieldSchema } from "./schema/field-values.ts";
import { definitionOf, innerOf } from "./schema/zod-definition.ts";

/**
 * Drops each `null` that stands for an absent optional field, at any depth: the JSON schema
 * requires every property, so a model can leave one out only by writing `null`. Values whose type
 * differs from the schema's are returned unchanged, for zod to reject.
 */
export function withoutNulls(value: unknown, schema: FieldSchema): unknown {
  const inner = innerOf(schema);
  if (inner !== undefined) return withoutNulls(value, inner);
  const { options, element, items, rest, shape, valueType } = definitionOf(schema);
  if (options !== undefined) return withoutNullsOfUnion(value, schema, options);
  if (Array.isArray(value)) {
    return value.map((item: unknown, place) => {
      const held = element ?? items?.[place] ?? (items === undefined ? undefined : rest);
      return held === undefined || held === null ? item : withoutNulls(item, held);
    });
  }
  if (!isObject(value) || (shape === undefined && valueType === undefined)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const field = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : valueType;
      if (field === undefined) return [[name, held]];
      return held === null && isAbsentAsNull(field) ? [] : [[name, withoutNulls(held, field)]];
    }),
  );
}

function withoutNullsOfUnion(
  value: unknown,
  union: FieldSchema,
  options: readonly FieldSchema[],
): unknown {
  if (typeof value !== "object" || value === null) return value;
  const named = namedOption(value, union, options);
  if (named !== undefined) return withoutNulls(value, named);
  for (const option of options) {
    const read = withoutNulls(value, option);
    if (fits(option, read)) return read;
  }
  return value;
}

/** The member that a value names by the key of a discriminated union. */
function namedOption(
  value: object,
  union: FieldSchema,
  options: readonly FieldSchema[],
): FieldSchema | undefined {
  const key = definitionOf(union).discriminator;
  if (key === undefined) return undefined;
  const name: unknown = Reflect.get(value, key);
  return options.find((option) =>
    (option._zod as Partial<z.core.$ZodTypeInternals>).propValues?.[key]?.has(name as string),
  );
}

function isAbsentAsNull(field: FieldSchema): boolean {
  return fits(field, undefined) && !fits(field, null);
}

function fits(schema: FieldSchema, value: unknown): boolean {
  return z.safeParse(schema as unknown as z.ZodType, value).success;
}
