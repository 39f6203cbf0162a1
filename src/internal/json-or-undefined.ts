import { parseJson } from "./parse-json.ts";

/** What `parseJson` makes of a text, or `undefined`, which fits no schema, for one that is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
