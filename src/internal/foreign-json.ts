/** JSON of a value from outside, for a message: one that is nested too deeply for JSON is named as that. */
export function foreignJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "a value that is nested too deeply";
  }
}
