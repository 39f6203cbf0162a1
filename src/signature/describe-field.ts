import { z } from "zod";
import type { Json } from "../contract/index.ts";
import { canonicalJson } from "../internal/index.ts";
import type { Field } from "./schema/field-shape.ts";
import type { FieldSchema, FieldSchemas } from "./schema/field-values.ts";
import { recursiveSchemas } from "./schema/recursive-schemas.ts";
import type { Description } from "./shape-of.ts";
import { shapeOf } from "./shape-of.ts";
import { checkRecursiveUnions } from "./union-shape.ts";
import { unrepresentable } from "./schema/unrepresentable.ts";
import { definitionOf } from "./schema/zod-definition.ts";

/**
 * Reads a zod schema into the canonical field description. Throws `field-unrepresentable` for
 * everything that cannot be specified exactly to a language model: transforms, dates, refinements
 * without an id...
 *
 * @param where the signature and field, for the error: `signature "answer", output "label"`
 */
function describeField(name: string, schema: FieldSchema, where: string): Field {
  const within: Omit<Description, "refinements" | "member"> = {
    name,
    recursive: recursiveSchemas(schema, where),
    names: new Map(),
    definitions: new Map(),
  };
  const member: Description["member"] = (key, held, place) => {
    const { inner, isOptional, standard, description } = unwrapped(held, place);
    const refinements: string[] = [];
    return {
      name: key,
      description,
      shape: shapeOf(inner, place, { ...within, refinements, member }),
      isOptional,
      refinements,
      ...(standard === undefined ? {} : { default: standard }),
    };
  };
  const field = member(name, schema, where);
  if (within.definitions.size === 0) return field;
  checkRecursiveUnions(within.definitions, where);
  return { ...field, definitions: Object.fromEntries(within.definitions) };
}

/** The same for each of the fields, in their order. */
export function describeFields(schemas: FieldSchemas, where: string): readonly Field[] {
  return Object.entries(schemas).map(([name, schema]) =>
    describeField(name, schema, `${where} "${name}"`),
  );
}

interface Unwrapped {
  readonly inner: FieldSchema;
  readonly isOptional: boolean;
  /** The value of an absent field. */
  readonly standard?: Json;
  readonly description: string;
}

/** Strips what says that a field may be absent, in whatever order it was written. */
function unwrapped(schema: FieldSchema, where: string): Unwrapped {
  const { type, innerType, defaultValue } = definitionOf(schema);
  const own = descriptionOf(schema);
  if (innerType === undefined || (type !== "optional" && type !== "default")) {
    return { inner: schema, isOptional: false, description: own ?? "" };
  }
  const { inner, standard, description } = unwrapped(innerType, where);
  const outer = type === "default" ? checkedDefault(schema, defaultValue, where) : standard;
  return {
    inner,
    isOptional: true,
    description: own ?? description,
    ...(outer === undefined ? {} : { standard: outer }),
  };
}

function checkedDefault(schema: FieldSchema, value: unknown, where: string): Json {
  // zod reads the value anew each time, which calls the author's function if there is one.
  const again = definitionOf(schema).defaultValue;
  try {
    if (value !== undefined && canonicalJson(value) === canonicalJson(again)) return value as Json;
  } catch {
    // It is not JSON.
  }
  throw unrepresentable(
    where,
    "a default that changes, or that JSON cannot hold",
    "Use a fixed value, or .optional() and fill it in the program",
  );
}

function descriptionOf(schema: FieldSchema): string | undefined {
  // A copy of zod other than ours keeps descriptions in a registry of its own.
  const own: unknown = Reflect.get(schema, "description");
  return typeof own === "string" ? own : z.globalRegistry.get(schema as never)?.description;
}
