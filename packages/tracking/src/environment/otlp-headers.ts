import { EspalierError } from "../../../../src/errors/index.ts";

/**
 * Headers for an OTLP endpoint, from the variable that OpenTelemetry's SDKs read:
 * `key=value,key=value`, with values percent-encoded.
 *
 * @throws EspalierError `usage-invalid`, without the value, which is a secret
 */
export function otlpHeaders({
  OTEL_EXPORTER_OTLP_HEADERS: given = "",
}: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const entries = given
    .split(",")
    .filter((entry) => entry.trim() !== "")
    .map((entry): [string, string] => {
      const at = entry.indexOf("=");
      const [name, value] = [entry.slice(0, at).trim().toLowerCase(), entry.slice(at + 1).trim()];
      try {
        if (at > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [name, decodeURIComponent(value)];
      } catch {
        // Told below.
      }
      throw new EspalierError({
        code: "usage-invalid",
        problem: "OTEL_EXPORTER_OTLP_HEADERS is malformed",
        expected: "key=value,key=value, with values percent-encoded",
      });
    });
  return Object.fromEntries(entries);
}
