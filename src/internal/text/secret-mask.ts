/** Replaces a secret in a text. */
export const mask = "[redacted]";

/**
 * Removes secrets from texts, both verbatim and in the forms of headers, URLs and JSON: base64,
 * percent-encoded, escaped. Ignores secrets of fewer than four characters, which would match
 * everywhere.
 */
export function secretMask(secrets: Iterable<string>): (text: string) => string {
  const known = [...secrets].filter((secret) => secret.length >= 4).flatMap(formsOf);
  // Longest first: masking a prefix of another form must not leave the rest of that form behind.
  const forms = [...new Set(known)].toSorted((left, right) => right.length - left.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, mask), text);
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret)
    .toString("base64")
    .replace(/={1,2}$/, "");
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    escaped,
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
    encodeURIComponent(secret.toWellFormed()),
    encodeURI(secret.toWellFormed()),
  ];
}

/** Removes `user:password@` from a URL, and also from a text that is not a valid URL. */
export function withoutCredentials(url: string): string {
  return url.replaceAll(/(\/\/)[^/?#,\s]*@/g, "$1");
}

/** The secrets in a URL: its user and password together, and the password. */
export function credentialsIn(url: string): readonly string[] {
  const { username, password } = URL.parse(url) ?? { username: "", password: "" };
  if (username === "" && password === "") return [];
  const encoded = [`${username}:${password}`, password];
  return [...encoded, ...encoded.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
