import type { Json } from "../../contract/index.ts";
import { redaction } from "./redaction.ts";

/** Writes one event of the server. */
export type ServerLog = (event: string, fields: Readonly<Record<string, Json>>) => void;

/**
 * A log of JSON lines whose texts are free of secrets.
 *
 * @param write takes one line, without its line end
 */
export function serverLog({
  write,
  secrets,
  now,
}: {
  readonly write: (line: string) => void;
  readonly secrets: readonly string[];
  readonly now: () => Date;
}): ServerLog {
  const redacted = redaction(secrets);
  return (event, fields) => {
    const masked = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? redacted(value) : value,
    ]);
    write(JSON.stringify({ at: now().toISOString(), event, ...Object.fromEntries(masked) }));
  };
}
