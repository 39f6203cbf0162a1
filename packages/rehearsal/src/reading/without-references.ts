import type { Json, JsonObject, JsonSchema } from "../../../../src/contract/index.ts";
import { isObject } from "../../../../src/internal/index.ts";

/** How many times a recursive schema is written inside of itself. */
const repetitions = 2;

/** Definitions that refer to each other twice and more would double with each. */
const [maxParts, maxNested] = [10_000, 200];

/**
 * A schema with the definitions that it refers to in their places. Where a recursive one would go
 * on, lists end, records stay empty, and unions take another member. `undefined` where none can,
 * or where there are too many parts.
 */
export function withoutReferences(
  schema: JsonSchema,
  definitions: JsonObject,
  inside: readonly string[] = [],
  work = { parts: 0 },
): JsonSchema | undefined {
  if (work.parts++ > maxParts) return undefined;
  const resolved = (part: Json | undefined): JsonSchema | undefined =>
    isObject(part) ? withoutReferences(part, definitions, inside, work) : undefined;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.replace("#/$defs/", "");
    const target = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    const depth = inside.filter((open) => open === name).length;
    if (!isObject(target) || depth > repetitions || inside.length > maxNested) return undefined;
    return withoutReferences(target, definitions, [...inside, name], work);
  }
  const made: Record<string, Json> = { ...schema };
  if (Array.isArray(schema["anyOf"])) {
    const members = schema["anyOf"].map(resolved).filter((member) => member !== undefined);
    if (members.length === 0) return undefined;
    made["anyOf"] = members;
  }
  for (const key of ["properties", "prefixItems"]) {
    const held = schema[key];
    if (held === undefined) continue;
    const parts = Object.entries(held as JsonObject).map(([name, part]) => [name, resolved(part)]);
    if (parts.some(([, part]) => part === undefined)) return undefined;
    const filled = Object.fromEntries(parts) as JsonObject;
    made[key] = Array.isArray(held) ? Object.values(filled) : filled;
  }
  if (isObject(schema["items"])) {
    const items = resolved(schema["items"]);
    if (items === undefined && (schema["minItems"] ?? 0) !== 0) return undefined;
    if (items === undefined) made["maxItems"] = 0;
    else made["items"] = items;
  }
  if (isObject(schema["additionalProperties"])) {
    made["additionalProperties"] = resolved(schema["additionalProperties"]) ?? false;
  }
  return made;
}
