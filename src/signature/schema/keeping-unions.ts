import { z } from "zod";
import { mapValues } from "../../internal/index.ts";
import type { FieldSchema } from "./field-values.ts";
import type { ZodDefinition } from "./zod-definition.ts";
import { definitionOf, innerOf, partsOf } from "./zod-definition.ts";

/**
 * The schema with unions that take the first member that fits without dropping a key, and only then
 * the first that fits: the JSON schema allows each member its own keys alone, while zod drops what
 * the first member lacks. The schema itself if no union has several members that may hold keys.
 */
export function keepingUnions(schema: FieldSchema): FieldSchema {
  if (!hasOpenUnion(schema, new Set())) return schema;
  const copies = { strict: new Map(), loose: new Map() };
  return copyOf(schema, "loose", copies);
}

function hasOpenUnion(schema: FieldSchema, seen: Set<object>): boolean {
  const definition = definitionOf(schema);
  if (seen.has(definition)) return false;
  seen.add(definition);
  return isOpenUnion(definition) || partsOf(schema).some((part) => hasOpenUnion(part, seen));
}

/** Whether a union has several members that may hold keys, and no key that tells them apart. */
function isOpenUnion({ options = [], discriminator }: ZodDefinition): boolean {
  const holders = options.filter((option) => partsOf(option).length > 0);
  return discriminator === undefined && holders.length > 1;
}

/** In strict copies, objects refuse other keys at every depth. */
type Copies = Readonly<Record<"strict" | "loose", Map<object, FieldSchema | null>>>;

function copyOf(schema: FieldSchema, mode: keyof Copies, copies: Copies): FieldSchema {
  const definition = definitionOf(schema);
  const made = copies[mode];
  const before = made.get(definition);
  // A recursive schema refers to itself before its copy is made.
  if (before === null) return z.lazy(() => made.get(definition) as unknown as z.ZodType);
  if (before !== undefined) return before;
  made.set(definition, null);
  const inside = (part: FieldSchema): FieldSchema => copyOf(part, mode, copies);
  const { type, innerType, element, shape, options, valueType, items, rest } = definition;
  const strictFirst = mode === "loose" && isOpenUnion(definition) ? (options ?? []) : [];
  const strict = strictFirst.map((option) => copyOf(option, "strict", copies));
  const changes = {
    // zod remembers in the definition what the getter gave.
    ...(type === "lazy" && {
      getter: () => inside(innerOf(schema) as FieldSchema),
      _cachedInner: undefined,
    }),
    ...(innerType && { innerType: inside(innerType) }),
    ...(element && { element: inside(element) }),
    ...(shape && { shape: mapValues(shape, inside) }),
    ...(shape && mode === "strict" && { catchall: definition.catchall ?? z.never() }),
    ...(options && { options: [...strict, ...options.map(inside)] }),
    ...(valueType && { valueType: inside(valueType) }),
    ...(items && { items: items.map(inside) }),
    ...(rest && { rest: inside(rest) }),
  };
  const copy = Object.keys(changes).length === 0 ? schema : withChanges(schema, changes);
  made.set(definition, copy);
  return copy;
}

/** A schema of the same kind, checks included. */
function withChanges(schema: FieldSchema, changes: object): FieldSchema {
  const { def, constr } = schema._zod as FieldSchema["_zod"] & {
    readonly constr: new (definition: object) => FieldSchema;
  };
  return new constr(
    Object.defineProperties(
      {},
      {
        // A default is read anew each time.
        ...Object.getOwnPropertyDescriptors(def),
        ...Object.getOwnPropertyDescriptors(changes),
      },
    ),
  );
}
