import type { Field, FieldShape } from "./schema/field-shape.ts";
import { fieldMeta } from "./field-types.ts";
import type { FieldSchema, FieldSchemas } from "./schema/field-values.ts";
import { readChecks } from "./read-checks.ts";
import { unionShape, checkRecursiveUnions } from "./union-shape.ts";
import { unrepresentable, unrepresentableType } from "./schema/unrepresentable.ts";
import type { ZodCheck, ZodDefinition } from "./schema/zod-definition.ts";
import { definitionOf, innerOf } from "./schema/zod-definition.ts";
import { z } from "zod";
import type { Json } from "../contract/index.ts";
import { canonicalJson } from "../internal/index.ts";
import { recursiveSchemas } from "./schema/recursive-schemas.ts";

/** What the description of one field gathers on its way. */
export interface Description {
  /** The field's name, after which its recursive types are named. */
  readonly name: string;
  /** Ids of the author's checks. */
  readonly refinements: string[];
  /** zod's definitions of the types that contain themselves. */
  readonly recursive: ReadonlySet<object>;
  /** Names of those that were met, by zod's definition. */
  readonly names: Map<object, string>;
  /** Their shapes, by name. */
  readonly definitions: Map<string, FieldShape>;
  /** Describes a member of an object. */
  member(name: string, schema: FieldSchema, where: string): Field;
}

/** The canonical shape of a schema; a recursive one is described once and then referred to. */
function shapeOf(schema: FieldSchema, where: string, within: Description): FieldShape {
  const definition = definitionOf(schema);
  if (!within.recursive.has(definition)) return shapeOfOne(schema, where, within);
  const known = within.names.get(definition);
  if (known !== undefined) return { kind: "reference", to: known };
  const count = within.names.size;
  const to = count === 0 ? within.name : `${within.name}-${count + 1}`;
  within.names.set(definition, to);
  within.definitions.set(to, shapeOfOne(schema, where, within));
  return { kind: "reference", to };
}

function shapeOfOne(schema: FieldSchema, where: string, within: Description): FieldShape {
  const def = definitionOf(schema);
  const meta = fieldMeta.get(schema as never);
  const bounds = readChecks(def, where, within.refinements);
  const inside = (part: FieldSchema): FieldShape => shapeOf(part, where, within);

  if (def.coerce === true) throw unrepresentable(where, "a coercion", "Declare the type itself");
  if (meta?.fieldKind === "passages") {
    return { kind: "passages", ...(meta.isRanked === true ? { ranked: true } : {}) };
  }
  if (meta?.fieldKind === "conversation") return { kind: "conversation" };
  if (meta?.fieldKind === "image") return { kind: "image" };

  switch (def.type) {
    case "string":
      return {
        kind: "text",
        ...(meta === undefined ? {} : pick(meta, ["role", "schemaMaxLength"])),
        ...pick(bounds, ["minLength", "maxLength", "pattern", "unicode", "format"]),
      };
    case "number":
      return {
        kind: "number",
        integer: bounds.integer === true,
        ...pick(bounds, [
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "multipleOf",
        ]),
      };
    case "boolean":
      return { kind: "boolean" };
    case "enum":
      return labelsOf(Object.values(def.entries ?? {}), where);
    case "literal":
      return constantShape(def.values ?? [], where);
    case "null":
      return constantShape([null], where);
    case "array":
      return {
        kind: "list",
        items: inside(def.element as FieldSchema),
        ...pick(bounds, ["minItems", "maxItems"]),
      };
    case "tuple":
      return {
        kind: "tuple",
        items: (def.items ?? []).map(inside),
        ...(def.rest === undefined || def.rest === null ? {} : { rest: inside(def.rest) }),
      };
    case "object":
      return {
        kind: "object",
        ...(refusesOtherKeys(def.catchall, where) ? { strict: true } : {}),
        fields: Object.entries(def.shape ?? {}).map(([key, value]) =>
          within.member(key, value, `${where}.${key}`),
        ),
      };
    case "record":
      return recordShape(def, where, within);
    case "union":
      return unionShape(def, (def.options ?? []).map(inside), where);
    case "nullable":
      return { kind: "nullable", of: inside(def.innerType as FieldSchema) };
    case "readonly":
    case "lazy":
      return inside(innerOf(schema) as FieldSchema);
    default:
      throw unrepresentableType(where, def.type);
  }
}

/** A record over labels is an object with these keys; one over texts may have any. */
function recordShape(
  { keyType, valueType, partial, mode }: ZodDefinition & ZodCheck,
  where: string,
  within: Description,
): FieldShape {
  const keys = shapeOf(keyType as FieldSchema, `${where}, its keys`, within);
  const value = valueType as FieldSchema;
  const { values } = (keyType as FieldSchema)._zod as { readonly values?: ReadonlySet<unknown> };
  // Before 4.3, zod said that a record is partial by leaving out the values of its keys.
  const isWhole = partial !== true && values !== undefined;
  if (keys.kind === "label" && isWhole) {
    const fields = keys.options.map((key) => within.member(key, value, `${where}.${key}`));
    return { kind: "object", strict: true, fields };
  }
  if (keys.kind === "text" && mode !== "loose") {
    return { kind: "record", keys, values: shapeOf(value, `${where}, its values`, within) };
  }
  throw unrepresentable(
    where,
    "a record whose keys are neither text nor labels that are all required",
    "Use z.record(z.string(), ...), or z.object with keys that are .optional()",
  );
}

function refusesOtherKeys(catchall: FieldSchema | undefined, where: string): boolean {
  if (catchall === undefined) return false;
  if (definitionOf(catchall).type === "never") return true;
  throw unrepresentable(
    where,
    "an object that allows other keys",
    "Use z.object and declare every key",
  );
}

function labelsOf(values: readonly unknown[], where: string): FieldShape {
  if (values.every((value) => typeof value === "string")) return constantShape(values, where);
  throw unrepresentable(
    where,
    "labels that are not strings",
    "Use z.enum([...]) of strings, or z.literal([...]) of numbers",
  );
}

function pick<TFrom extends object, TKey extends keyof TFrom>(
  from: TFrom,
  keys: readonly TKey[],
): { [K in TKey]?: Exclude<TFrom[K], undefined> } {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]),
  ) as { [K in TKey]?: Exclude<TFrom[K], undefined> };
}

type Constant = number | boolean | null;

/** The shape of a value that is one of these: labels, constants, or a union of both. */
function constantShape(values: readonly unknown[], where: string): FieldShape {
  const options = values.filter((value) => typeof value === "string");
  const others = values.filter(isConstant);
  if (values.length === 0 || options.length + others.length < values.length) {
    throw unrepresentable(
      where,
      "a literal that JSON cannot hold",
      "Use strings, finite numbers, true, false or null; .optional() for a value that may be absent",
    );
  }
  const broken = options.find((option) => !option.isWellFormed());
  if (broken !== undefined) {
    throw unrepresentable(
      where,
      `the label ${JSON.stringify(broken)}, which contains half a character`,
      "Write the whole character",
    );
  }
  if (others.length === 0) return { kind: "label", options };
  if (options.length === 0) return { kind: "constant", values: others };
  return {
    kind: "union",
    of: [
      { kind: "label", options },
      { kind: "constant", values: others },
    ],
  };
}

function isConstant(value: unknown): value is Constant {
  return value === null || typeof value === "boolean" || Number.isFinite(value);
}

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
