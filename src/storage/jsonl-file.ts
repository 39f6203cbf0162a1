import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { EspalierError, messageOf } from "../errors/index.ts";
import { makePrivateFolder, privateModes } from "./private-files.ts";
import type { WriteFaultReport } from "./write-fault.ts";
import { writeFault } from "./write-fault.ts";
import { withChecksum, defaultAdvice, wholeLines } from "./whole-lines.ts";
import type { LinesAdvice, WholeLines } from "./whole-lines.ts";

// Not promisify() of node:util, which a search would load for this alone.
const synced = (file: number): Promise<void> =>
  new Promise((resolve, reject) => {
    fsync(file, (error) => (error === null ? resolve() : reject(error)));
  });

/**
 * Append-only lines of JSON, each with a checksum. Lines that cannot be written stay queued: they
 * are retried with the next ones and on close, so that no line is ever written without those before
 * it.
 */
export interface JsonlFile {
  /** For error messages. */
  readonly path: string;
  /** What the file held when it was opened. */
  readonly existing: readonly object[];
  /**
   * The line is written when this returns, so that it survives a kill of the process.
   *
   * @throws EspalierError `write-failed`, as `flush` and `sync` do
   */
  append(value: object): void;
  /**
   * Written before anything appended later, on `flush`, and at the latest when the event loop
   * turns.
   */
  appendSoon(value: object): void;
  flush(): void;
  /** Resolves once everything appended so far survives a loss of power. */
  sync(): Promise<void>;
  /** Drops anything appended later. Throws only an error that was not reported yet. */
  close(): void;
}

/**
 * Opens or creates the file. Cuts off a line that a kill left unterminated. Rejects a broken line
 * with `file-malformed`, since what follows it cannot be trusted.
 *
 * @param advice for error messages
 */
export function openJsonlFile(path: string, advice: LinesAdvice = defaultAdvice): JsonlFile {
  const report = { kept: "Earlier lines are kept.", next: advice.next };
  const { lines, file } = orWriteFault(path, report, () => {
    makePrivateFolder(dirname(path));
    return {
      lines: readWholeLines(path, advice),
      file: openSync(path, "a", privateModes.file),
    };
  });
  let waiting = "";
  /** The rest of lines that were written in part. */
  let rest: Buffer = Buffer.alloc(0);
  let isReported = false;
  let isScheduled = false;
  // After closing, another file may own its descriptor.
  let isClosed = false;
  const write = (): void => {
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
    const text = waiting;
    const written = writeSync(file, text);
    waiting = "";
    if (written < Buffer.byteLength(text)) rest = Buffer.from(text).subarray(written);
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
  };
  const flush = (): void => {
    if (isClosed || (waiting === "" && rest.length === 0)) return;
    try {
      orWriteFault(path, report, write);
      isReported = false;
    } catch (error) {
      isReported = true;
      throw error;
    }
  };
  const line = (value: object): string => `${withChecksum(value)}\n`;
  const flushSoon = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const wasReported = isReported;
      try {
        flush();
      } catch {
        // No caller waits here: the next append or sync reports the error.
        isReported = wasReported;
      }
    });
  };
  return {
    path,
    existing: lines.values,
    flush,
    append: (value) => {
      if (isClosed) return;
      waiting += line(value);
      flush();
    },
    appendSoon: (value) => {
      if (isClosed) return;
      flushSoon();
      waiting += line(value);
    },
    sync: async () => {
      if (isClosed) return;
      flush();
      await synced(file).catch((error: unknown) => {
        throw writeFault(error, path, report);
      });
    },
    close: () => {
      if (isClosed) return;
      const wasReported = isReported;
      try {
        flush();
      } catch (error) {
        if (!wasReported) throw error;
      } finally {
        isClosed = true;
        closeSync(file);
      }
    },
  };
}

/**
 * Replaces a file that is not open by one with these lines, completely or not at all. Keeps its
 * mode; a failed write leaves no temporary file.
 *
 * @throws EspalierError `write-failed`
 */
export function replaceLines(
  path: string,
  lines: Iterable<object>,
  { next }: LinesAdvice = defaultAdvice,
): void {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  orWriteFault(path, { kept: "The file is unchanged.", next }, () => {
    try {
      const file = openSync(temporary, "wx", privateModes.file);
      try {
        fchmodSync(file, statSync(path).mode & 0o777);
        for (const line of lines) writeFileSync(file, `${withChecksum(line)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** The same interface in memory, for runs without a folder. */
export function memoryLines(): JsonlFile {
  return {
    path: "",
    existing: [],
    append: () => {},
    appendSoon: () => {},
    flush: () => {},
    sync: () => Promise.resolve(),
    close: () => {},
  };
}

function orWriteFault<TResult>(
  path: string,
  report: WriteFaultReport,
  action: () => TResult,
): TResult {
  try {
    return action();
  } catch (error) {
    throw writeFault(error, path, report);
  }
}

function readWholeLines(path: string, advice: LinesAdvice): WholeLines {
  if (!existsSync(path)) return { values: [], bytes: 0 };
  try {
    const lines = wholeLines(path, advice);
    if (lines.bytes < statSync(path).size) truncateSync(path, lines.bytes);
    return lines;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "file-missing",
      problem: "The file cannot be read",
      got: messageOf(error),
      where: path,
      cause: error,
    });
  }
}
