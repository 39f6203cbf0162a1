import { parseJson } from "./parse-json.ts";

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
