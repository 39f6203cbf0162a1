import type { FieldSchema } from "./field-values.ts";
import { unrepresentable } from "./unrepresentable.ts";
import { partsOf } from "./zod-definition.ts";

/**
 * The definitions that contain themselves, at least one in every cycle. A definition stands for its
 * schema, since zod copies a schema when it is described.
 *
 * @throws EspalierError `field-unrepresentable` for a schema that never ends without repeating
 *   itself, as a getter does that makes another schema at each call
 */
export function recursiveSchemas(schema: FieldSchema, where: string): ReadonlySet<object> {
  const open = new Set<object>();
  const seen = new Set<object>();
  const recursive = new Set<object>();
  const visit = (held: FieldSchema): void => {
    const definition = zodDefinition(held, where);
    if (open.has(definition)) recursive.add(definition);
    if (seen.has(definition)) return;
    if (open.size > deepest) throw tooDeep(where);
    seen.add(definition);
    open.add(definition);
    for (const part of partsOf(held)) visit(part);
    open.delete(definition);
  };
  visit(schema);
  return recursive;
}

function zodDefinition(schema: unknown, where: string): object {
  const held = typeof schema === "object" && schema !== null ? schema : {};
  if ("_zod" in held) return (held as FieldSchema)._zod.def;
  const isOfZod3 = "_def" in held;
  throw unrepresentable(
    where,
    isOfZod3 ? "a schema of zod 3" : "a value that is not a zod schema",
    isOfZod3
      ? "Import `z` from zod 4: `npm install zod@4`, or from `zod/v4` in zod 3.25"
      : "Use text(), passages(), conversation(), or a type of zod 4",
  );
}

const deepest = 100;

function tooDeep(where: string): Error {
  return unrepresentable(
    where,
    `a schema nested more than ${deepest} levels deep`,
    "Refer to the schema itself where it repeats: const node = z.object({ get children() { return z.array(node) } })",
  );
}
