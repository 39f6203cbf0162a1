import { statSync } from "node:fs";

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

export interface FileStamp {
  /** Changes with the content. */
  readonly id: string;
  /**
   * Whether a change from now on would show: a change in the same tick of the file system's clock
   * would not.
   */
  readonly isSettled: boolean;
}

/** `undefined` if `stat` fails; the read then reports why. */
function stampOf(path: string): FileStamp | null | undefined {
  try {
    return fileStamp(path);
  } catch {
    return undefined;
  }
}

/** Tells one state of a file or folder from another; `null` if it does not exist. */
export function fileStamp(path: string): FileStamp | null {
  // Synchronous: awaiting costs several times as much.
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  // Some file systems store whole seconds, the others the time of the last tick.
  const tickMs = mtimeNs % 1_000_000_000n === 0n ? 2_000 : 100;
  return {
    id: [dev, ino, size, mtimeNs, ctimeNs].join(" "),
    isSettled: Date.now() - Number(ctimeNs / 1_000_000n) > tickMs,
  };
}
