import { constants } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { EspalierError } from "../errors/index.ts";
import { mebibyte, parseJson } from "../internal/index.ts";
import { lineTooLong } from "./file-lines.ts";
import { crc32 } from "node:zlib";

export interface WholeLines {
  readonly values: readonly unknown[];
  /** Where they end in the file; anything after that was not fully written. */
  readonly bytes: number;
  /** Where each of them begins. */
  readonly lineStarts: readonly number[];
}

export interface WholeLinesOptions {
  /**
   * Whether each line has a checksum. A broken last line is then rejected like any other, since it
   * holds paid work; without checksums it is left out, and its decision is made again.
   * @default false
   */
  readonly isChecked?: boolean;
  readonly advice?: LinesAdvice;
}

/**
 * Reads lines of JSON objects. Leaves out an unterminated line: a kill tore it, or it is being
 * written. The file may be larger than the longest string.
 *
 * @throws EspalierError `file-malformed` for a broken line, since what follows it cannot be
 * trusted; and what the file system throws
 */
export function wholeLines(path: string, options: WholeLinesOptions = {}): WholeLines {
  const values: unknown[] = [];
  let bytes = 0;
  const lineStarts: number[] = [];
  for (const { value, length } of sizedLines(path, options)) {
    values.push(value);
    lineStarts.push(bytes);
    bytes += length + 1;
  }
  return { values, bytes, lineStarts };
}

/** The same lines one by one, for a file that may be larger than memory. */
export function* eachWholeLine(path: string, options: WholeLinesOptions = {}): Generator<unknown> {
  for (const { value } of sizedLines(path, options)) yield value;
}

function* sizedLines(
  path: string,
  { isChecked = false, advice = defaultAdvice }: WholeLinesOptions,
): Generator<{ readonly value: unknown; readonly length: number }> {
  let count = 0;
  let broken: Buffer | undefined;
  for (const line of endedLines(path)) {
    if (broken !== undefined) {
      throw brokenLine(
        `${path}:${count + 1}`,
        broken,
        `Restore the file from a backup, or ${advice.startOver}.`,
      );
    }
    const value = parse(line);
    if (value === undefined) broken = line;
    else {
      count++;
      if (isChecked) checkLineSum(value, { where: `${path}:${count}`, advice });
      yield { value, length: line.length };
    }
  }
  if (isChecked && broken !== undefined) {
    throw brokenLine(
      `${path}:${count + 1}`,
      broken,
      "The file is left unchanged: restore it from a backup, or remove this last line and redo the work it recorded.",
    );
  }
}

function parse(line: Buffer): unknown {
  try {
    const value: unknown = parseJson(line.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function brokenLine(where: string, line: Buffer, fix: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the file is broken",
    where,
    expected: "a JSON object",
    got: line.subarray(0, 80).toString("utf8"),
    fix,
  });
}

/**
 * The lines of a file that may be larger than the longest string, as bytes without their line ends.
 * Leaves out what follows the last line end: it was being written when the process died, or is now.
 *
 * @param options.maxLineBytes the longest line held in memory, terminated or not; by default as
 * many bytes as the longest string has characters, since our own files may hold replies of any size
 * @throws EspalierError `file-malformed` for a longer line
 */
export function* endedLines(
  path: string,
  { maxLineBytes = constants.MAX_STRING_LENGTH }: { readonly maxLineBytes?: number } = {},
): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    let partial: Buffer[] = [];
    let partialBytes = 0;
    let number = 1;
    const refuseLonger = (bytes: number): void => {
      if (bytes > maxLineBytes) throw lineTooLong(`${path}:${number}`, maxLineBytes);
    };
    for (;;) {
      const room = Buffer.allocUnsafe(mebibyte);
      const piece = room.subarray(0, readSync(file, room));
      if (piece.length === 0) return;
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

/**
 * Rejects a line that differs from what was written.
 *
 * @throws EspalierError `file-malformed`
 */
function checkLineSum(
  value: unknown,
  { where, advice }: { readonly where: string; readonly advice: LinesAdvice },
): void {
  const { crc, ...rest } = value as { readonly crc?: unknown };
  if (crc === checksumOf(JSON.stringify(rest))) return;
  throw new EspalierError({
    code: "file-malformed",
    problem: "A line of the file was changed after it was written",
    where,
    expected: "the checksum of its content as `crc`",
    got: crc === undefined ? "no checksum" : JSON.stringify(crc),
    fix: `The file is left unchanged: restore it from a backup, or ${advice.startOver}.`,
  });
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
