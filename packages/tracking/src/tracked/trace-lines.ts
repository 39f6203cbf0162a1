import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { mebibyte } from "../../../../src/internal/index.ts";
import { endedLines, privateModes } from "../../../../src/storage/index.ts";

/** Lines that are added one by one and read by their number of bytes before. */
export interface TraceLines {
  readonly bytes: number;
  add(line: string): void;
  /** @returns an empty text if it cannot be read */
  at(place: { readonly start: number; readonly length: number }): string;
  flush(): void;
  close(): void;
}

/**
 * @param onLine gets each line that the file has
 * @throws what the file system throws; adding and reading never do
 */
export function linesInFile(
  path: string,
  {
    isReadOnly,
    onLine,
  }: { readonly isReadOnly: boolean; readonly onLine: (line: Buffer, start: number) => void },
): TraceLines {
  const file = openSync(path, isReadOnly ? "r" : "a+", privateModes.file);
  let bytes = 0;
  for (const line of endedLines(path)) {
    onLine(line, bytes);
    bytes += line.length + 1;
  }
  // A kill tore what follows.
  if (!isReadOnly && fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isScheduled = false;
  const flush = (): void => {
    let rest = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
    } catch {
      // On a full disk the run itself says so; what is read here later is no JSON.
    }
  };
  return {
    get bytes() {
      return bytes;
    },
    add: (line) => {
      const content = Buffer.from(`${line}\n`);
      waiting.push(content);
      waitingBytes += content.length;
      bytes += content.length;
      if (waitingBytes > mebibyte) flush();
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        flush();
      });
    },
    at: ({ start, length }) => {
      flush();
      const room = Buffer.alloc(length);
      try {
        return room.toString("utf8", 0, readSync(file, room, 0, length, start));
      } catch {
        return "";
      }
    },
    flush,
    close: () => {
      flush();
      closeSync(file);
    },
  };
}

/** The same in memory. */
export function linesInMemory(): TraceLines {
  const lines = new Map<number, string>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    add: (line) => {
      lines.set(bytes, line);
      bytes += Buffer.byteLength(line) + 1;
    },
    at: ({ start }) => lines.get(start) ?? "",
    flush: () => {},
    close: () => lines.clear(),
  };
}
