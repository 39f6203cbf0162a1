import { z } from "zod";
import {
  getOwn,
  isDeeperThan,
  isLargeInteger,
  isObject,
  nearestName,
  mapValues,
} from "../internal/index.ts";
import type { FieldSchema, FieldSchemas, OutputOf } from "./schema/field-values.ts";
import { recursiveSchemas } from "./schema/recursive-schemas.ts";
import type { ZodDefinition } from "./schema/zod-definition.ts";
import { definitionOf, innerOf, partsOf } from "./schema/zod-definition.ts";

export type Parsed<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly problems: readonly string[] };

export type FieldParser<TFields extends FieldSchemas> = (
  values: unknown,
) => Parsed<OutputOf<TFields>>;

/**
 * Returns a function that checks named values against their fields. Unknown names are errors in
 * `"strict"` mode (for callers' values) and dropped in `"lenient"` mode (for models' replies, where
 * `null` for an optional field also counts as absent, at any depth) and in `"returned"` mode (for
 * what a program returns: the same, worded for its author). Defaults are filled in;
 * callers' values without any come back as they are. Each problem is one short
 * sentence that names the field. At most five are listed, with the number of others, since a reply
 * may hold thousands.
 */
export function fieldParser<TFields extends FieldSchemas>(
  fields: TFields,
  mode: "strict" | "lenient" | "returned",
): FieldParser<TFields> {
  const plain = objectOf(fields, mode === "strict" ? mode : "lenient");
  const keeping = keepingUnions(plain) as unknown as z.ZodObject;
  const isRecursive = recursiveSchemas(plain, "fields").size > 0;
  const isFilled = mode !== "strict" || hasDefault(plain, new Set());
  return (values) => {
    if (isRecursive && isDeeperThan(values, deepest)) return { ok: false, problems: [tooDeep] };
    const read = (schema: z.ZodObject): z.ZodSafeParseResult<Record<string, unknown>> =>
      schema.safeParse(mode === "strict" ? values : withoutNulls(values, schema), {
        reportInput: true,
      });
    const result = read(keeping);
    if (result.success) {
      return { ok: true, value: (isFilled ? result.data : values) as OutputOf<TFields> };
    }
    // What the members of a union were tried as is no concern of who wrote the value.
    const { error = result.error } = keeping === plain ? result : read(plain);
    return { ok: false, problems: sentencesOf(error.issues, wordings[mode](fields)) };
  };
}

/** What is wrong with the value of one of the fields, as a clause; `null` if nothing is. */
export function fieldProblem(fields: FieldSchemas, name: string, value: unknown): string | null {
  const schema = getOwn(fields, name);
  if (schema === undefined) return "no such field";
  const { error } = z.safeParse(schema as unknown as z.ZodType, value);
  return error === undefined ? null : (sentencesOf(error.issues)[0] ?? error.message);
}

export function objectOf(fields: FieldSchemas, mode: "strict" | "lenient"): z.ZodObject {
  const shape = { ...fields } as unknown as Record<string, z.ZodType>;
  return mode === "strict" ? z.strictObject(shape) : z.object(shape);
}

/** Far below the depth at which zod runs out of stack. */
const deepest = 200;
const tooDeep = `nested more than ${deepest} levels deep`;

function hasDefault(schema: FieldSchema, seen: Set<object>): boolean {
  const definition = definitionOf(schema);
  if (seen.has(definition)) return false;
  seen.add(definition);
  return definition.type === "default" || partsOf(schema).some((part) => hasDefault(part, seen));
}

const maxShown = 5;
/** In UTF-16 code units: a problem may quote names that the model invented. */
const longestProblem = 400;

type Wording = (issue: z.core.$ZodIssue) => string;

function sentencesOf(
  issues: readonly z.core.$ZodIssue[],
  wording: Wording = sentenceOf,
): readonly string[] {
  const shown = issues.slice(0, maxShown).map(wording);
  const left = issues.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more ${left === 1 ? "problem" : "problems"}`];
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  const message = messageOf(issue);
  const whole = path === "" ? message : `\`${path}\`: ${message}`;
  return whole.length <= longestProblem
    ? whole
    : `${whole.slice(0, longestProblem).toWellFormed()}...`;
}

/** For an author of code: which field is missing or misspelt, and what was expected. */
function plainSentence(issue: z.core.$ZodIssue, fields: FieldSchemas): string {
  const path = issue.path.map(String).join(".");
  const place = path === "" ? "" : `\`${path}\``;
  if (issue.code === "unrecognized_keys") {
    const names = Object.keys(fields);
    return issue.keys
      .slice(0, maxShown)
      .map((key) => {
        const nearest = path === "" ? nearestName(key, names) : undefined;
        const advice = nearest === undefined ? "" : ` (did you mean \`${nearest}\`?)`;
        return `${place}${place === "" ? "" : ": "}\`${key}\` is no field of it${advice}`;
      })
      .join("; ");
  }
  const unworded = sentenceOf(issue);
  if (issue.code !== "invalid_type") return unworded;
  const isMissing = unworded.endsWith(", received undefined");
  if (isMissing && place !== "") return `${place} is missing (expected: ${issue.expected})`;
  return unworded.replace("Invalid input: ", "");
}

/** A model is corrected in zod's words, which recorded runs and golden prompts hold. */
const wordings: Readonly<
  Record<"strict" | "lenient" | "returned", (fields: FieldSchemas) => Wording>
> = {
  strict: (fields) => (issue) => plainSentence(issue, fields),
  returned: (fields) => (issue) => plainSentence(issue, fields),
  lenient: () => sentenceOf,
};

/** zod says no more of a union than that nothing fits, and knows no integers kept as texts. */
function messageOf(issue: z.core.$ZodIssue): string {
  const isOfNumber = issue.code === "invalid_type" && issue.expected === "number";
  if (isOfNumber && isLargeInteger(issue.input)) {
    return `${issue.input} is too large for a number: expected at most ${Number.MAX_SAFE_INTEGER} in size`;
  }
  if (issue.code !== "invalid_union") return issue.message;
  const nearest = issue.errors.toSorted((left, right) => distance(left) - distance(right))[0];
  return nearest === undefined || nearest.length === 0
    ? "Names none of the variants that the schema lists"
    : `Fits none of its types; of the nearest one: ${sentencesOf(nearest).join("; ")}`;
}

/** A member that fits in kind is nearer than one of another kind. */
function distance(issues: readonly z.core.$ZodIssue[]): number {
  const isOfOtherKind = issues.some(
    ({ code, path }) => path.length === 0 && code === "invalid_type",
  );
  return isOfOtherKind ? Infinity : issues.length;
}

/**
 * Drops each `null` that stands for an absent optional field, at any depth: the JSON schema
 * requires every property, so a model can leave one out only by writing `null`. Values whose type
 * differs from the schema's are returned unchanged, for zod to reject.
 */
function withoutNulls(value: unknown, schema: FieldSchema): unknown {
  const inner = innerOf(schema);
  if (inner !== undefined) return withoutNulls(value, inner);
  const { options, element, items, rest, shape, valueType } = definitionOf(schema);
  if (options !== undefined) return withoutNullsOfUnion(value, schema, options);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      const held = element ?? items?.[index] ?? (items === undefined ? undefined : rest);
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

/**
 * The schema with unions that take the first member that fits without dropping a key, and only then
 * the first that fits: the JSON schema allows each member its own keys alone, while zod drops what
 * the first member lacks. The schema itself if no union has several members that may hold keys.
 */
function keepingUnions(schema: FieldSchema): FieldSchema {
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
