import { unrepresentable } from "./schema/unrepresentable.ts";
import type { ZodCheck, ZodDefinition } from "./schema/zod-definition.ts";

/** The combined constraints of a zod schema's checks. */
export interface Bounds {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  unicode?: true;
  format?: string;
  integer?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
}

/**
 * Reads the checks of a schema, so that two schemas that accept different values get different
 * descriptions: of two bounds the stricter one holds, and a check that the description cannot
 * express throws `field-unrepresentable`. Adds the ids of refinements to `refinements`.
 */
export function readChecks(
  definition: ZodDefinition & ZodCheck,
  where: string,
  refinements: string[],
): Bounds {
  const bounds: Bounds = {};
  const [least, most] =
    definition.type === "array"
      ? (["minItems", "maxItems"] as const)
      : (["minLength", "maxLength"] as const);
  // z.email() and z.int() are themselves checks and apply before any that are added to them.
  const isOwn = definition.check !== undefined && definition.type !== "custom";
  const added = (definition.checks ?? []).map((holder) => holder._zod.def);
  for (const check of [...(isOwn ? [definition] : []), ...added]) {
    switch (check.check) {
      case "min_length":
        raise(bounds, least, check.minimum);
        break;
      case "max_length":
        lower(bounds, most, check.maximum);
        break;
      case "length_equals":
        raise(bounds, least, check.length);
        lower(bounds, most, check.length);
        break;
      case "greater_than":
        raise(bounds, check.inclusive === true ? "minimum" : "exclusiveMinimum", check.value);
        break;
      case "less_than":
        lower(bounds, check.inclusive === true ? "maximum" : "exclusiveMaximum", check.value);
        break;
      case "multiple_of":
        if (bounds.multipleOf !== undefined) {
          throw unrepresentable(where, "a second `.multipleOf()`", "Give their common multiple");
        }
        if (check.value !== undefined) bounds.multipleOf = check.value;
        break;
      case "number_format":
        readNumberFormat(bounds, check, where);
        break;
      case "string_format":
        readStringFormat(bounds, check, where);
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
  return bounds;
}

type LowerBound = "minLength" | "minItems" | "minimum" | "exclusiveMinimum";
type UpperBound = "maxLength" | "maxItems" | "maximum" | "exclusiveMaximum";

function raise(bounds: Bounds, key: LowerBound, to: number | undefined): void {
  if (to !== undefined) bounds[key] = Math.max(to, bounds[key] ?? to);
}

function lower(bounds: Bounds, key: UpperBound, to: number | undefined): void {
  if (to !== undefined) bounds[key] = Math.min(to, bounds[key] ?? to);
}

function readNumberFormat(bounds: Bounds, { format }: ZodCheck, where: string): void {
  switch (format) {
    case "safeint":
      bounds.integer = true;
      break;
    case "int32":
      bounds.integer = true;
      raise(bounds, "minimum", -(2 ** 31));
      lower(bounds, "maximum", 2 ** 31 - 1);
      break;
    case "uint32":
      bounds.integer = true;
      raise(bounds, "minimum", 0);
      lower(bounds, "maximum", 2 ** 32 - 1);
      break;
    case "float64":
      break;
    default:
      throw unrepresentable(where, `the number format \`${format}\``, "Use z.number() with bounds");
  }
}

function readStringFormat(bounds: Bounds, check: ZodCheck, where: string): void {
  if (bounds.pattern !== undefined || bounds.format !== undefined) {
    throw unrepresentable(
      where,
      "a second pattern or format",
      "Write one pattern and check the rest with .refine(check, { params: { id } })",
    );
  }
  const { pattern, format } = check;
  if (check.hostname !== undefined || check.protocol !== undefined || check.alg !== undefined) {
    throw unrepresentable(
      where,
      `the format \`${format}\` with its own constraints`,
      "Use .regex(), or .refine(check, { params: { id } })",
    );
  }
  if (pattern === undefined) {
    if (format !== undefined) bounds.format = format;
    return;
  }
  if (pattern.flags !== "" && pattern.flags !== "u") {
    throw unrepresentable(
      where,
      `the pattern ${String(pattern)} with flags`,
      "Write it without flags: [Aa] instead of /a/i",
    );
  }
  bounds.pattern = pattern.source;
  if (pattern.flags === "u") bounds.unicode = true;
}

function refinementId(check: ZodCheck, where: string): string {
  const id = check.params?.id;
  if (typeof id === "string" && id !== "") return id;
  throw unrepresentable(
    where,
    "a refinement without an id",
    'Give it an id, so that a changed check is detected: .refine(check, { params: { id: "no-url/1" } })',
  );
}
