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
