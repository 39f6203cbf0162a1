import type { JsonSchema } from "../../contract/index.ts";
import { excerpt, isObject, pointedAt } from "../../internal/index.ts";

/** Far above what real schemas need, and far below where the stack would end. */
export const maxNested = 200;
export const nestedTooDeeply: string = `its parts are nested, or refer to each other, more than ${maxNested} deep`;

/**
 * Why the references of a schema cannot be followed, or `null`; in time linear in the schema. None
 * may lead to itself without a property or an item on the way: that would say nothing of a value.
 */
export function referenceProblem(root: JsonSchema): string | null {
  const found = new Set([root]);
  const closed = new Set<JsonSchema>();
  const problemOf = (schema: JsonSchema, open: readonly JsonSchema[]): string | null => {
    if (closed.has(schema)) return null;
    const reference = schema["$ref"];
    if (open.includes(schema)) return "a reference leads back to itself with no value in between";
    if (open.length > maxNested) return nestedTooDeeply;
    const target = reference === undefined ? [] : [targetOf(reference, root)];
    if (target.includes(undefined)) {
      return `the reference ${excerpt(JSON.stringify(reference), 100)} does not lead to a schema in it`;
    }
    const same = [schema["anyOf"], schema["oneOf"], schema["allOf"], target].flatMap(schemasIn);
    const problem = firstOf(
      same.filter((one) => one !== null),
      (one) => {
        found.add(one);
        return problemOf(one, [...open, schema]);
      },
    );
    closed.add(schema);
    return problem;
  };
  // The loop also visits the schemas that are added on the way.
  for (const schema of found) {
    const problem = problemOf(schema, []);
    if (problem !== null) return problem;
    const { properties, prefixItems, items, additionalProperties } = schema;
    const parts = [properties, prefixItems].flatMap((parts) => Object.values(Object(parts)));
    for (const part of [...parts, items, additionalProperties]) if (isSchema(part)) found.add(part);
  }
  return null;
}

/** The schema that a local reference leads to, also over others; `{}` where it leads nowhere. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const passed = new Set<JsonSchema>();
  let found: JsonSchema | undefined = schema;
  while (found?.["$ref"] !== undefined && !passed.has(found)) {
    passed.add(found);
    found = targetOf(found["$ref"], root);
  }
  return found ?? {};
}

/** Follows a JSON pointer, as `#/$defs/name`. */
export function targetOf(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  const found = typeof reference === "string" ? pointedAt(reference, root) : undefined;
  return isSchema(found) ? found : undefined;
}

export function schemasIn(value: unknown): readonly JsonSchema[] | null {
  return Array.isArray(value) ? value.filter(isSchema) : null;
}

export function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function isSchema(value: unknown): value is JsonSchema {
  return isObject(value);
}

export function firstOf<TItem>(
  items: readonly TItem[],
  problemOf: (item: TItem) => string | null,
): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}
