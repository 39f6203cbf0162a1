import type { FileStamp } from "./file-stamp.ts";
import { fileStamp } from "./file-stamp.ts";

/**
 * Reads files and folders again only after they changed, according to `stat`. A failed read is not
 * kept.
 *
 * @param absent returned without a read if the path does not exist
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
    // A change during the read gives another stamp later.
    const value = read();
    if (isSettled) {
      known.set(path, { id, value });
      value.catch(() => known.delete(path));
    }
    return value;
  };
}

/** `undefined` if `stat` fails; the read then reports why. */
function stampOf(path: string): FileStamp | null | undefined {
  try {
    return fileStamp(path);
  } catch {
    return undefined;
  }
}
