import type { Trace } from "../../contract/index.ts";

/**
 * A trace as JSON. The messages of failures lose what looks like a secret: servers quote what they
 * got.
 */
export function traceText(
  trace: Trace,
  { masked, redacted }: Readonly<Record<"masked" | "redacted", (text: string) => string>>,
): string {
  return JSON.stringify(trace, (name, value: unknown) => {
    if (typeof value !== "string") return value;
    return name === "message" ? redacted(value) : masked(value);
  });
}
