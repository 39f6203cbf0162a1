/** What stands in a text where a secret stood. */
export const mask = "[redacted]";

/**
 * Takes secrets out of texts, as they are and as headers, addresses and JSON carry them: in base64, with
 * percent signs, escaped. One of fewer than four characters is no secret, and would be found everywhere.
 */
export function secretMask(secrets: Iterable<string>): (text: string) => string {
  const known = [...secrets].filter((secret) => secret.length >= 4).flatMap(formsOf);
  // The longest first: what another begins with must not leave the rest of it behind.
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

/** An address without the `user:password@` in it; what is no address stays as it is, without that too. */
export function withoutCredentials(url: string): string {
  return url.replaceAll(/(\/\/)[^/?#,\s]*@/g, "$1");
}

/** What of an address is secret: its user and password together, and the password. */
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
