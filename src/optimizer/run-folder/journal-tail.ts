import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isNoSuchFile, jsonOrUndefined } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import { eventChecker } from "./line/event-lines.ts";
import { runFolderFiles } from "./run-folder.ts";

/** What a run has decided since the last look. */
export interface JournalTail {
  next(): {
    /** Whether the journal was cut off, as when a run goes on: the events begin with its first. */
    readonly isAnew: boolean;
    readonly events: readonly OptimizerEvent[];
  };
}

/**
 * Follows the journal of a run that another process works on: takes no lock, keeps no file open,
 * and reads each byte once.
 *
 * `next` throws `file-malformed` for a line that is no event of this version
 */
export function journalTail(folder: string): JournalTail {
  const path = runFolderFiles(folder).journal;
  let bytes = 0;
  let partial = Buffer.alloc(0);
  let checked = eventChecker(path);
  return {
    next: () => {
      const grown = bytesAfter(path, bytes);
      if (grown === null) return { isAnew: false, events: [] };
      const { isCut, content } = grown;
      if (isCut) {
        [bytes, partial, checked] = [0, Buffer.alloc(0), eventChecker(path)];
      }
      bytes += content.length;
      const whole = Buffer.concat([partial, content]);
      const end = whole.lastIndexOf("\n") + 1;
      partial = Buffer.from(whole.subarray(end));
      const lines = whole.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
      return { isAnew: isCut, events: lines.map((line) => checked(jsonOrUndefined(line))) };
    },
  };
}

/** `null` if nothing was added. */
function bytesAfter(
  path: string,
  bytes: number,
): { readonly isCut: boolean; readonly content: Buffer } | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (isNoSuchFile(error)) return null;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const isCut = size < bytes;
    const from = isCut ? 0 : bytes;
    if (size === from && !isCut) return null;
    const content = Buffer.alloc(size - from);
    const read = readSync(file, content, 0, content.length, from);
    return { isCut, content: content.subarray(0, read) };
  } finally {
    closeSync(file);
  }
}
