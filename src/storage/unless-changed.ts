import type { FileStamp } from "./file-stamp.ts";
import { fileStamp } from "./file-stamp.ts";

/**
 * Reads files and folders again only where they changed since, as `stat` tells. A failed read is
 * not kept.
 *
 * @param absent stands for what is not there, without a read
 */
export function unlessChanged<TValue>(
  absent?: TValue,
): (path: string, read: () => Promise<TValue>) => Promise<TValue> {
  const known = new Map<string, { readonly id: string; readonly value: Promise<TValue> }>();
  return (path, read) => {
    const stamp = stampOf(path);
    if (stamp === undefined) return read();
    if (stamp === null) {
      known.delete(path);
      return absent === undefined ? read() : Promise.resolve(absent);
    }
    const { id, isSettled } = stamp;
    const held = known.get(path);
    if (held?.id === id) return held.value;
    known.delete(path);
    // What changes while it is read has another stamp later.
    const value = read();
    if (isSettled) {
      known.set(path, { id, value });
      value.catch(() => known.delete(path));
    }
    return value;
  };
}

/** `undefined` where `stat` fails; reading then tells why. */
function stampOf(path: string): FileStamp | null | undefined {
  try {
    return fileStamp(path);
  } catch {
    return undefined;
  }
}
