import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import type { Field, FieldShape } from "./field-shape.ts";
import { fieldMeta } from "./field-types.ts";

/**
 * Reads a zod schema into the canonical field description. Throws `field-unrepresentable` for what
 * a language model cannot be told to produce exactly: transforms, dates, unions, refinements
 * without an id...
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
  const { def } = schema._zod as { def: Definition };
  return def.type === "optional" && def.innerType !== undefined
    ? { inner: def.innerType, isOptional: true }
    : { inner: schema, isOptional: false };
}

/** The parts of zod's definitions that are read here; zod keeps them stable for library authors. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly coerce?: boolean;
  readonly format?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

interface Check {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly params?: { readonly id?: unknown };
}

function shapeOf(schema: z.ZodType, where: string, refinements: string[]): FieldShape {
  const def = (schema._zod as { def: Definition }).def;
  const meta = fieldMeta.get(schema);
  const bounds = readChecks(def, where, refinements);

  if (def.coerce === true) throw unrepresentable(where, "a coercion", "Declare the type itself");
  if (meta?.fieldKind !== undefined) return { kind: meta.fieldKind };

  switch (def.type) {
    case "string":
      return {
        kind: "text",
        ...(meta?.role === undefined ? {} : { role: meta.role }),
        ...pick(bounds, ["minLength", "maxLength", "pattern"]),
      };
    case "number":
      return {
        kind: "number",
        integer: bounds.integer === true || isIntegerFormat(def.format),
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
  pipe: "Declare what the model writes, and transform it in the program",
  transform: "Declare what the model writes, and transform it in the program",
  union: "Use z.enum([...]) for labels, or one field per alternative",
  default: "Use .optional() and fill the default in the program",
  any: "Say what the field holds",
  unknown: "Say what the field holds",
  record: "Use z.array(z.object({ key, value }))",
};

interface Bounds {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  integer?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
}

function readChecks(def: Definition, where: string, refinements: string[]): Bounds {
  const bounds: Bounds = {};
  const length =
    def.type === "array"
      ? (["minItems", "maxItems"] as const)
      : (["minLength", "maxLength"] as const);
  for (const { _zod: holder } of def.checks ?? []) {
    const check = holder.def;
    switch (check.check) {
      case "min_length":
        bounds[length[0]] = check.minimum ?? 0;
        break;
      case "max_length":
        if (check.maximum !== undefined) bounds[length[1]] = check.maximum;
        break;
      case "length_equals":
        if (check.length !== undefined) bounds[length[0]] = bounds[length[1]] = check.length;
        break;
      case "greater_than":
        if (check.value !== undefined) {
          bounds[check.inclusive === true ? "minimum" : "exclusiveMinimum"] = check.value;
        }
        break;
      case "less_than":
        if (check.value !== undefined) {
          bounds[check.inclusive === true ? "maximum" : "exclusiveMaximum"] = check.value;
        }
        break;
      case "number_format":
        if (isIntegerFormat(check.format)) bounds.integer = true;
        break;
      case "string_format":
        if (check.pattern !== undefined) bounds.pattern = check.pattern.source;
        break;
      case "custom":
        refinements.push(refinementId(check, where));
        break;
      default:
        throw unrepresentable(
          where,
          `the zod check \`${check.check}\``,
          "Use bounds, .regex(), or .refine(check, { params: { id } })",
        );
    }
  }
  // String formats such as z.iso.date() and z.email() keep their pattern on the definition itself.
  const own = def as Definition & Check;
  if (def.type === "string" && own.pattern !== undefined) bounds.pattern = own.pattern.source;
  return bounds;
}

function refinementId(check: Check, where: string): string {
  const id = check.params?.id;
  if (typeof id === "string" && id !== "") return id;
  throw unrepresentable(
    where,
    "a refinement without an id",
    'Give it one, so that a changed check can be noticed: .refine(check, { params: { id: "no-url/1" } })',
  );
}

function isIntegerFormat(format: string | undefined): boolean {
  return format === "safeint" || format === "int32" || format === "uint32";
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

function unrepresentable(where: string, got: string, fix: string): EspalierError {
  return new EspalierError({
    code: "field-unrepresentable",
    problem: "A field cannot be described to a language model",
    where,
    got,
    fix,
  });
}
