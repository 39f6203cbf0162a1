import { withWholeEscapes } from "./well-formed.ts";

/**
 * Deeper than all of our files, and far below the depth at which recursive readers run out of
 * stack.
 */
const defaultMaxDepth = 200;

/**
 * `JSON.parse` for external text: as `exactJson`, and it limits the depth, replaces halves of
 * characters, and its messages quote nothing of the text, which may be confidential.
 *
 * @throws SyntaxError
 */
export function parseJson(
  text: string,
  { maxDepth = defaultMaxDepth }: { readonly maxDepth?: number } = {},
): unknown {
  const value = parsed(text);
  // Each level takes two characters.
  if (text.length > 2 * maxDepth && isDeeperThan(value, maxDepth)) {
    throw new SyntaxError(`JSON nested more than ${maxDepth} levels deep`);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return exactJson(withWholeEscapes(text));
  } catch (error) {
    const { message } = error as SyntaxError;
    const isWithoutExcerpt = / JSON at position \d|JSON input$/.test(message);
    throw new SyntaxError(isWithoutExcerpt ? message : "Unexpected token in JSON");
  }
}

/**
 * `JSON.parse` that never rounds an integer in a list or object: one that JavaScript would write
 * with other digits comes as text, which fields for texts hold and those for numbers refuse.
 */
export function exactJson(text: string): unknown {
  return mayHoldLarge.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

/** Reading a value through a function is slow, and hardly any text needs it. */
const mayHoldLarge = /[[:,]\s*-?[1-9]\d{15}/;

// TypeScript does not know the third argument yet.
function exact(
  _: string,
  value: unknown,
  { source = "" }: { readonly source?: string } = {},
): unknown {
  const isRounded = typeof value === "number" && isLargeInteger(source) && String(value) !== source;
  return isRounded ? source : value;
}

/** Whether this is the text of an integer of the size that `exactJson` may give as text. */
export function isLargeInteger(value: unknown): value is string {
  return typeof value === "string" && /^-?[1-9]\d{15,}$/.test(value);
}

/** Whether lists and objects are nested to more levels than this. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  let level = membersOf([value]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap(membersOf);
  }
  return false;
}

function membersOf(holder: object): readonly object[] {
  return Object.values(holder).filter(
    (held): held is object => typeof held === "object" && held !== null,
  );
}

/**
 * The result of `parseJson`, or `undefined`, which matches no schema, for a text that is not JSON.
 */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * JSON of an external value, for a message; a value nested too deeply for JSON is described
 * instead.
 */
export function foreignJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return tooDeep;
  }
}

export const tooDeep = "a value that is nested too deeply";

/**
 * JSON with the raw control characters inside of its strings escaped, so that `JSON.parse` takes
 * them. Text without any comes back as it is.
 */
export function escapeControlCharacters(json: string): string {
  if (!control.test(json)) return json;
  let isInString = false;
  return json.replaceAll(mark, (found) => {
    if (found === '"') isInString = !isInString;
    if (found === '"' || found.startsWith("\\") || !isInString) return found;
    return JSON.stringify(found).slice(1, -1);
  });
}

const control = /\p{Cc}/u;
/** A quote, an escape, or a control character. */
const mark = /"|\\.|\p{Cc}/gsu;
