import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import { excerpt, canonicalJson, isNoSuchFile, jsonOrUndefined } from "../../internal/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import { eventChecker } from "./line/event-lines.ts";
import { runFolderFiles } from "./run-folder.ts";
import type { JsonlFile } from "../../storage/index.ts";

/**
 * The optimizer's decisions, as numbered events. It holds nothing that depends on timing, so two
 * runs with the same seed have the same journal, byte for byte, even across kills and faults.
 */
export interface Journal {
  /**
   * Adds an event. In a resumed run, compares it with the event recorded at its place instead;
   * throws `journal-mismatch` if the two differ, since paid work would then be lost.
   */
  add(event: OptimizerEvent): void;
  /** Writes pending events, after the work they depend on. */
  flush(): void;
  /** The next recorded event; `undefined` once the run has caught up with its journal. */
  next(): OptimizerEvent | undefined;
  sync(): Promise<void>;
  /**
   * Throws while recorded events follow: the work behind them was on file first, so anything that
   * must be requested now has been lost since.
   */
  checkCaughtUp(): void;
}

export function journal(file: JsonlFile, path: string): Journal {
  const recorded = file.existing;
  let sequence = 0;
  return {
    add: (event) => {
      const line = { sequence, ...event };
      const before = recorded[sequence];
      sequence++;
      if (before === undefined) file.appendSoon(line);
      else if (canonicalJson(before) !== canonicalJson(line)) throw mismatch(path, line, before);
    },
    flush: () => file.flush(),
    next: () => recorded[sequence] as OptimizerEvent | undefined,
    sync: () => file.sync(),
    checkCaughtUp: () => {
      if (recorded[sequence] !== undefined) throw repliesLost(path);
    },
  };
}

function repliesLost(path: string): EspalierError {
  return new EspalierError({
    code: "journal-mismatch",
    problem:
      "`work.jsonl` lacks replies behind recorded decisions: resuming would pay for them again",
    where: path,
    expected: "every reply behind a recorded decision",
    got: "a call without a reply",
    fix: "Nothing was requested: restore `work.jsonl`, or remove `journal.jsonl` and resume to repeat only the missing calls.",
  });
}

function mismatch(path: string, now: object, before: unknown): EspalierError {
  return new EspalierError({
    code: "journal-mismatch",
    problem: "The resumed run diverged from its journal",
    where: path,
    expected: excerpt(JSON.stringify(before), 400),
    got: excerpt(JSON.stringify(now), 400),
    fix: "The program's code, its data or something it calls has changed: start a new run.",
  });
}

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
