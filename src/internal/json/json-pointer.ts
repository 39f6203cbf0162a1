import { getOwn } from "../objects.ts";

/**
 * What a local reference leads to, as `#/$defs/name`: a JSON pointer (RFC 6901) in a fragment;
 * `undefined` where it leads nowhere.
 */
export function pointedAt(reference: string, root: object): unknown {
  const [fragment, ...steps] = reference.split("/");
  if (fragment !== "#") return undefined;
  return steps.reduce<unknown>(
    (found, step) =>
      typeof found === "object" && found !== null
        ? getOwn(found as Readonly<Record<string, unknown>>, decoded(step))
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
