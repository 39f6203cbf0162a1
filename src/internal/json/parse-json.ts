/**
 * Deeper than all of our files, and far below the depth at which recursive readers run out of
 * stack.
 */
const defaultMaxDepth = 200;

/**
 * `JSON.parse` for external text: limits the depth, and its messages quote nothing of the text,
 * which may be confidential.
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
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const isWithoutExcerpt = / JSON at position \d|JSON input$/.test(message);
    throw new SyntaxError(isWithoutExcerpt ? message : "Unexpected token in JSON");
  }
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

/** The members that have members themselves. */
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
