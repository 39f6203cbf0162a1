/**
 * What a local reference leads to, as `#/$defs/name`: a JSON pointer (RFC 6901) in a fragment;
 * `undefined` where it leads nowhere.
 */
export function pointedAt(reference: string, root: object): unknown {
  const [fragment, ...steps] = reference.split("/");
  if (fragment !== "#") return undefined;
  return steps
    .map(decoded)
    .reduce<unknown>(
      (found, key) =>
        typeof found === "object" && found !== null && Object.hasOwn(found, key)
          ? (found as Readonly<Record<string, unknown>>)[key]
          : undefined,
      root,
    );
}

function decoded(step: string): string {
  let plain = step;
  try {
    plain = decodeURIComponent(step);
  } catch {
    // It stands as it is.
  }
  return plain.replaceAll("~1", "/").replaceAll("~0", "~");
}
