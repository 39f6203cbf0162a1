/**
 * A text for the log without what may be a secret in it: bearer tokens, credentials in addresses, values
 * of parameters that are named like keys, and the given secrets wherever they stand.
 */
export function redacted(text: string, secrets: readonly string[] = []): string {
  const withoutKnown = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((left, secret) => left.replaceAll(secret, mask), text);
  return withoutKnown
    .replaceAll(/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${mask}`)
    .replaceAll(/(https?:\/\/)[^\s/@]+@/gi, `$1${mask}@`)
    .replaceAll(
      /\b((?:api[-_]?)?key|token|secret|password)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
      `$1$2${mask}`,
    )
    .replaceAll(/\b(sk|esp)-[\w-]{8,}/g, mask);
}

const mask = "[redacted]";
