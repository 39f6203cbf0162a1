import { property } from "./property.ts";

/** `{ error: { message } }`, `{ error: "..." }`, `{ object: "error", message }` or `{ detail }`. */
export function errorMessage(body: unknown): string | undefined {
  const error = property(body, "error");
  const found = [
    property(error, "message"),
    error,
    property(body, "message"),
    property(body, "detail"),
  ];
  return found.find((value) => typeof value === "string");
}

/** The HTTP status that an error inside a stream repeats as `code`. */
export function errorStatus(body: unknown): number | undefined {
  const code = Number(property(body, "code"));
  return code >= 400 && code < 600 ? code : undefined;
}
