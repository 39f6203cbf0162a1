import { statSync } from "node:fs";

export interface FileStamp {
  /** Another one for another content. */
  readonly id: string;
  /**
   * Whether a change from now on would show: one in the same tick of the file system's clock would
   * not.
   */
  readonly isSettled: boolean;
}

/** What tells one state of a file or folder from another; `null` where there is none. */
export function fileStamp(path: string): FileStamp | null {
  // Not awaited: that costs several times as much.
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  // Some file systems keep whole seconds, the others the time of the last tick.
  const tickMs = mtimeNs % 1_000_000_000n === 0n ? 2_000 : 100;
  return {
    id: [dev, ino, size, mtimeNs, ctimeNs].join(" "),
    isSettled: Date.now() - Number(ctimeNs / 1_000_000n) > tickMs,
  };
}
