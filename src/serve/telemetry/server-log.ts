import type { Json } from "../../contract/index.ts";
import { mask, secretMask } from "../../internal/index.ts";

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

/**
 * Removes possible secrets from a text for the log: bearer tokens, credentials in addresses, values
 * of parameters that are named like keys, and every occurrence of the given secrets.
 */
export function redaction(secrets: readonly string[] = []): (text: string) => string {
  const masked = secretMask(secrets);
  return (text) =>
    masked(text)
      .replaceAll(/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${mask}`)
      .replaceAll(/(https?:\/\/)[^\s/@]+@/gi, `$1${mask}@`)
      .replaceAll(
        /\b((?:api[-_]?)?key|token|secret|password)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
        `$1$2${mask}`,
      )
      .replaceAll(/\b(sk|esp)-[\w-]{8,}/g, mask);
}
