import type { z } from "zod";
import type { Field, FieldShape } from "./field-shape.ts";
import { fieldMeta } from "./field-types.ts";
import type { Bounds } from "./read-checks.ts";
import { readChecks } from "./read-checks.ts";
import { unrepresentable } from "./unrepresentable.ts";
import { definitionOf } from "./zod-definition.ts";

/**
 * Reads a zod schema into the canonical field description. Throws `field-unrepresentable` for
 * everything that cannot be specified exactly to a language model: transforms, dates, unions,
 * refinements without an id...
 *
 * @param where the signature and field, for the error: `signature "answer", output "label"`
 */
export function describeField(name: string, schema: z.ZodType, where: string): Field {
  const { inner, isOptional } = unwrapOptional(schema);
  const refinements: string[] = [];
  return {
    name,
    description: schema.description ?? inner.description ?? "",
    shape: shapeOf(inner, where, refinements),
    isOptional,
    refinements,
  };
}

function unwrapOptional(schema: z.ZodType): { inner: z.ZodType; isOptional: boolean } {
  const def = definitionOf(schema);
  return def.type === "optional" && def.innerType !== undefined
    ? { inner: def.innerType, isOptional: true }
    : { inner: schema, isOptional: false };
}

function shapeOf(schema: z.ZodType, where: string, refinements: string[]): FieldShape {
  const def = definitionOf(schema);
  const meta = fieldMeta.get(schema);
  const bounds = readChecks(def, where, refinements);

  if (def.coerce === true) throw unrepresentable(where, "a coercion", "Declare the type itself");
  if (meta?.fieldKind === "passages") {
    return { kind: "passages", ...(meta.isRanked === true ? { ranked: true } : {}) };
  }
  if (meta?.fieldKind === "conversation") return { kind: "conversation" };

  switch (def.type) {
    case "string":
      return {
        kind: "text",
        ...(meta?.role === undefined ? {} : { role: meta.role }),
        ...pick(bounds, ["minLength", "maxLength", "pattern", "unicode", "format"]),
      };
    case "number":
      return {
        kind: "number",
        integer: bounds.integer === true,
        ...pick(bounds, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
      };
    case "boolean":
      return { kind: "boolean" };
    case "enum":
      return labelOf(Object.values(def.entries ?? {}), where);
    case "literal":
      return labelOf(def.values ?? [], where);
    case "array":
      return {
        kind: "list",
        items: shapeOf(def.element as z.ZodType, where, refinements),
        ...pick(bounds, ["minItems", "maxItems"]),
      };
    case "object":
      return {
        kind: "object",
        ...(refusesOtherKeys(def.catchall, where) ? { strict: true } : {}),
        fields: Object.entries(def.shape ?? {}).map(([key, value]) =>
          describeField(key, value, `${where}.${key}`),
        ),
      };
    case "nullable":
      return { kind: "nullable", of: shapeOf(def.innerType as z.ZodType, where, refinements) };
    case "readonly":
      return shapeOf(def.innerType as z.ZodType, where, refinements);
    default:
      throw unrepresentable(where, `a zod \`${def.type}\``, fixes[def.type] ?? defaultFix);
  }
}

const defaultFix =
  "Use text(), passages(), conversation(), or zod's string, number, int, boolean, enum, array, object, nullable, optional";

const fixes: Readonly<Record<string, string>> = {
  date: "Use z.iso.date() or text() and parse it in the program",
  pipe: "Declare what the model writes and transform it in the program",
  transform: "Declare what the model writes and transform it in the program",
  union: "Use z.enum([...]) for labels, or one field per alternative",
  default: "Use .optional() and fill the default in the program",
  any: "Declare the type that the field holds",
  unknown: "Declare the type that the field holds",
  record: "Use z.array(z.object({ key, value }))",
};

function refusesOtherKeys(catchall: z.ZodType | undefined, where: string): boolean {
  if (catchall === undefined) return false;
  if (definitionOf(catchall).type === "never") return true;
  throw unrepresentable(
    where,
    "an object that keeps other keys",
    "Use z.object and declare every key",
  );
}

function labelOf(values: readonly unknown[], where: string): FieldShape {
  const options = values.filter((value) => typeof value === "string");
  if (options.length !== values.length || options.length === 0) {
    throw unrepresentable(where, "labels that are not strings", "Use z.enum([...]) of strings");
  }
  return { kind: "label", options };
}

function pick<TKey extends keyof Bounds>(
  bounds: Bounds,
  keys: readonly TKey[],
): { [K in TKey]?: Exclude<Bounds[K], undefined> } {
  return Object.fromEntries(
    keys.filter((key) => bounds[key] !== undefined).map((key) => [key, bounds[key]]),
  ) as { [K in TKey]?: Exclude<Bounds[K], undefined> };
}
