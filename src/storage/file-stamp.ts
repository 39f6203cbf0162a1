import { statSync } from "node:fs";

export interface FileStamp {
  /** Changes with the content. */
  readonly id: string;
  /**
   * Whether a change from now on would show: a change in the same tick of the file system's clock
   * would not.
   */
  readonly isSettled: boolean;
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
