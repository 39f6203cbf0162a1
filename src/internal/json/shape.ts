/**
 * Describes the required shape of an external value; returns what is wrong with a value, or `null`.
 * A small language for tables of shapes, for commands that must start without loading zod.
 */
export type Shape = (value: unknown) => string | null;

/** A member that may be absent. */
interface OptionalShape {
  readonly optional: Shape;
}

const expected = (what: string): string => `: expected ${what}`;

/** Whether a value is what JSON calls an object: neither `null` nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shape(what: string, test: (value: unknown) => boolean): Shape {
  const problem = expected(what);
  return (value) => (test(value) ? null : problem);
}

export const anything: Shape = shape("a value", (value) => value !== undefined);
export const text: Shape = shape("a text", (value) => typeof value === "string");
export const flag: Shape = shape("true or false", (value) => typeof value === "boolean");
/** Rejects infinity, which is what `1e999` parses to. */
export const finite: Shape = shape("a number", Number.isFinite);
/** A number from 0 to this. */
export function upTo(most: number): Shape {
  return shape(
    `a number from 0 to ${most}`,
    (value) => Number.isFinite(value) && (value as number) >= 0 && (value as number) <= most,
  );
}

/** Of what is counted or measured: a negative one would give back what was spent. */
export const amount: Shape = shape(
  "a number of at least 0",
  (value) => Number.isFinite(value) && (value as number) >= 0,
);
export const count: Shape = shape(
  "a whole number of at least 0",
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const plainObject: Shape = shape("an object", isObject);

export function oneOf(...values: readonly (string | number | boolean)[]): Shape {
  const allowed: ReadonlySet<unknown> = new Set(values);
  return shape(values.map((value) => JSON.stringify(value)).join(" or "), (value) =>
    allowed.has(value),
  );
}

export function orNull(of: Shape): Shape {
  return (value) => (value === null ? null : of(value));
}

/** Accepts a value that fits any of the shapes; otherwise reports the last one's problem. */
export function either(...shapes: readonly Shape[]): Shape {
  return (value) => {
    let problem: string | null = null;
    for (const one of shapes) {
      problem = one(value);
      if (problem === null) return null;
    }
    return problem;
  };
}

export function optional(of: Shape): OptionalShape {
  return { optional: of };
}

export function listOf(item: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return expected("a list");
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index]);
      if (problem !== null) return at(String(index), problem);
    }
    return null;
  };
}

/** An object with arbitrary keys. */
export function recordOf(held: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return expected("an object");
    for (const key of Object.keys(value)) {
      const problem = held(value[key]);
      if (problem !== null) return at(key, problem);
    }
    return null;
  };
}

/** An object with these members; others are allowed. */
export function objectOf(members: Readonly<Record<string, Shape | OptionalShape>>): Shape {
  const entries = Object.entries(members).map(([key, held]) =>
    typeof held === "function"
      ? ([key, held, true] as const)
      : ([key, held.optional, false] as const),
  );
  return (value) => {
    if (!isObject(value)) return expected("an object");
    for (const [key, held, isRequired] of entries) {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      if (member === undefined && !isRequired) continue;
      const problem = held(member);
      if (problem !== null) return at(key, problem);
    }
    return null;
  };
}

/** An object in which the member `key` selects one of several shapes. */
export function unionBy(key: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const kind = oneOf(...Object.keys(shapes));
  return (value) => {
    if (!isObject(value)) return expected("an object");
    const named = Object.hasOwn(value, key) ? value[key] : undefined;
    const problem = kind(named);
    if (problem !== null) return at(key, problem);
    return shapes[named as string]?.(value) ?? null;
  };
}

/** A problem one level up: `record.id: expected a text`. */
export function at(key: string, problem: string): string {
  return problem.startsWith(":") ? `${key}${problem}` : `${key}.${problem}`;
}
