import { constants } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { EspalierError } from "../errors/index.ts";
import { mebibyte, parseJson } from "../internal/index.ts";
import { lineTooLong } from "./file-lines.ts";
import { crc32 } from "node:zlib";

export interface WholeLines {
  readonly values: readonly object[];
  /** Where they end in the file; anything after that was not fully written. */
  readonly bytes: number;
}

/**
 * Reads lines of JSON objects, each with a checksum. Leaves out an unterminated line: a kill tore
 * it, or it is being written. The file may be larger than the longest string.
 *
 * @throws EspalierError `file-malformed` for a broken or changed line, since what follows it cannot
 * be trusted; and what the file system throws
 */
export function wholeLines(path: string, advice: LinesAdvice = defaultAdvice): WholeLines {
  const values: object[] = [];
  let bytes = 0;
  for (const line of endedLines(path)) {
    values.push(checkedLine(line.toString("utf8"), `${path}:${values.length + 1}`, advice));
    bytes += line.length + 1;
  }
  return { values, bytes };
}

/** The same lines one by one, for a file that may be larger than memory. */
export function* eachWholeLine(
  path: string,
  advice: LinesAdvice = defaultAdvice,
): Generator<object> {
  let number = 0;
  for (const line of endedLines(path)) {
    yield checkedLine(line.toString("utf8"), `${path}:${++number}`, advice);
  }
}

/**
 * The object that a line holds, as it was given to `withChecksum`.
 *
 * @throws EspalierError `file-malformed` for a line that is broken, or not as it was written
 */
export function checkedLine(
  line: string,
  where: string,
  { startOver }: LinesAdvice = defaultAdvice,
): object {
  const value = objectIn(line);
  const { crc, ...rest } = value ?? {};
  if (value !== undefined && crc === checksumOf(JSON.stringify(rest))) return rest;
  const sum = crc === undefined ? "no checksum" : JSON.stringify(crc);
  throw new EspalierError({
    code: "file-malformed",
    problem:
      value === undefined
        ? "A line of the file is broken"
        : "A line of the file was changed after it was written",
    where,
    expected: "a JSON object with the checksum of its content as `crc`",
    got: value === undefined ? line.slice(0, 80) : sum,
    fix: `The file is left unchanged: restore it from a backup, or ${startOver}. If this is its last line, you can also remove it and redo the work that it recorded.`,
  });
}

function objectIn(line: string): { readonly crc?: unknown } | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The lines of a file that may be larger than the longest string, as bytes without their line ends.
 * Leaves out what follows the last line end: it was being written when the process died, or is now.
 *
 * @param options.from the offset of the first line, in bytes
 * @param options.maxLineBytes the longest line held in memory, terminated or not; by default as
 * many bytes as the longest string has characters, since our own files may hold replies of any size
 * @throws EspalierError `file-malformed` for a longer line
 */
export function* endedLines(
  path: string,
  {
    from = 0,
    maxLineBytes = constants.MAX_STRING_LENGTH,
  }: { readonly from?: number; readonly maxLineBytes?: number } = {},
): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    let partial: Buffer[] = [];
    let partialBytes = 0;
    let number = 1;
    // Only where asked for, since a pipe has no positions.
    let position = from === 0 ? null : from;
    const refuseLonger = (bytes: number): void => {
      if (bytes > maxLineBytes) throw lineTooLong(`${path}:${number}`, maxLineBytes);
    };
    for (;;) {
      const room = Buffer.allocUnsafe(mebibyte);
      const piece = room.subarray(0, readSync(file, room, { position }));
      if (piece.length === 0) return;
      if (position !== null) position += piece.length;
      let start = 0;
      for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
        refuseLonger(partialBytes + end - start);
        yield Buffer.concat([...partial, piece.subarray(start, end)]);
        partial = [];
        partialBytes = 0;
        number++;
        start = end + 1;
      }
      partial.push(piece.subarray(start));
      partialBytes += piece.length - start;
      refuseLonger(partialBytes);
    }
  } finally {
    closeSync(file);
  }
}

/** What messages about a damaged or unwritable file of lines tell the reader to do. */
export interface LinesAdvice {
  /** If the file cannot be restored, as an imperative. */
  readonly startOver: string;
  /** Once the location is writable, as an imperative. */
  readonly next: string;
}

export const defaultAdvice: LinesAdvice = { startOver: "start a new file", next: "try again" };

/** The line of an object, with a checksum of everything before it as its last property. */
export function withChecksum(value: object): string {
  const json = JSON.stringify(value);
  return `${json.slice(0, -1)},"crc":"${checksumOf(json)}"}`;
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
