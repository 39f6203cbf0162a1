import type { Trace } from "../../contract/index.ts";
import { redacted } from "../http/redacted.ts";

/** A trace as JSON. The messages of failures lose what looks like a secret: servers quote what they got. */
export function traceText(
  trace: Trace,
  {
    secrets,
    masked,
  }: { readonly secrets: readonly string[]; readonly masked: (text: string) => string },
): string {
  return JSON.stringify(trace, (name, value: unknown) => {
    if (typeof value !== "string") return value;
    return name === "message" ? redacted(value, secrets) : masked(value);
  });
}
