import {
  closeSync,
  existsSync,
  fsync,
  openSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { makePrivateFolder, privateModes } from "../../internal/index.ts";
import { wholeLines } from "./whole-lines.ts";

const synced = promisify(fsync);

/** Lines of JSON that are only ever added. */
export interface JsonlFile {
  /** For messages. */
  readonly path: string;
  /** What the file held when it was opened. */
  readonly existing: readonly unknown[];
  /** Written when it returns, so that it survives a kill of the process. */
  append(value: object): void;
  /** Written before anything appended later, on `flush`, and at the latest when the event loop turns. */
  appendSoon(value: object): void;
  flush(): void;
  /** Resolves once all that was appended survives a loss of power. */
  sync(): Promise<void>;
  /** What is appended later is dropped. */
  close(): void;
}

/**
 * Opens or makes the file. A last line that a kill left torn is cut off; a broken line elsewhere is
 * refused with `file-malformed`, since what follows it cannot be trusted.
 *
 * @param options.after a file whose waiting lines are always written before this one's
 */
export function openJsonlFile(
  path: string,
  { after }: { readonly after?: JsonlFile } = {},
): JsonlFile {
  makePrivateFolder(dirname(path));
  const existing = readWholeLines(path);
  const file = openSync(path, "a", privateModes.file);
  let waiting = "";
  let isScheduled = false;
  // Its descriptor may be another file's by then.
  let isClosed = false;
  const flush = (): void => {
    if (waiting === "") return;
    after?.flush();
    const lines = waiting;
    waiting = "";
    let written = writeSync(file, lines);
    if (written === Buffer.byteLength(lines)) return;
    const bytes = Buffer.from(lines);
    while (written < bytes.length) written += writeSync(file, bytes, written);
  };
  const flushSoon = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      flush();
    });
  };
  return {
    path,
    existing,
    flush,
    append: (value) => {
      if (isClosed) return;
      waiting += `${JSON.stringify(value)}\n`;
      flush();
    },
    appendSoon: (value) => {
      if (isClosed) return;
      flushSoon();
      waiting += `${JSON.stringify(value)}\n`;
    },
    sync: async () => {
      if (isClosed) return;
      flush();
      await synced(file);
    },
    close: () => {
      if (isClosed) return;
      flush();
      isClosed = true;
      closeSync(file);
    },
  };
}

/** The same in memory, for runs without a folder. */
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

function readWholeLines(path: string): readonly unknown[] {
  if (!existsSync(path)) return [];
  try {
    const { values, bytes } = wholeLines(path);
    if (bytes < statSync(path).size) truncateSync(path, bytes);
    return values;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "file-missing",
      problem: "The journal cannot be read",
      got: messageOf(error),
      where: path,
      cause: error,
    });
  }
}
