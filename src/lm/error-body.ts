import { fieldOf } from "./field-of.ts";

/** `{ error: { message } }`, `{ error: "..." }`, `{ object: "error", message }` or `{ detail }`. */
export function errorMessage(body: unknown): string | undefined {
  const error = fieldOf(body, "error");
  const found = [
    fieldOf(error, "message"),
    error,
    fieldOf(body, "message"),
    fieldOf(body, "detail"),
  ];
  return found.find((value) => typeof value === "string");
}

/** The HTTP status that an error inside a stream repeats as `code`. */
export function errorStatus(body: unknown): number | undefined {
  const code = Number(fieldOf(body, "code"));
  return code >= 400 && code < 600 ? code : undefined;
}
