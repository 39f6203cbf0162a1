import { mask, secretMask } from "../../internal/index.ts";

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
