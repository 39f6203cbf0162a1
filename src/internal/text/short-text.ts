/** The beginning of a text, in at most `maxLength` UTF-16 code units, for messages. */
export function excerpt(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 3).toWellFormed()}...`;
}

/** The first `limit` items as one phrase, for messages: `a, b and 3 more`. */
export function joinNames(items: readonly string[], limit = 5): string {
  const head = items.slice(0, limit).join(", ");
  return items.length <= limit ? head : `${head} and ${items.length - limit} more`;
}

/**
 * Whether a name is lower-case words joined by hyphens, the first of which begins with a letter.
 */
export function isKebabCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}

/** The name of a component in events and lineages, such as `instruction:answer`. */
export function componentId({
  kind,
  path,
}: {
  readonly kind: string;
  readonly path: string;
}): string {
  return `${kind}:${path}`;
}

/** Bytes in a mebibyte. */
export const mebibyte: number = 2 ** 20;

/** A human-readable number of bytes: `64 MiB`, `1.5 KiB`, `7 bytes`. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const count = bytes / 1024 ** power;
  return `${Number.isInteger(count) ? count : count.toFixed(1)} ${units[power - 1]}`;
}
