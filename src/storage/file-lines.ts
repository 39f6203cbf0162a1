import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import type { ReadStream } from "node:fs";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EspalierError, messageOf } from "../errors/index.ts";
import { mebibyte, byteSize } from "../internal/index.ts";

export interface FileLinesOptions {
  /** Longest line accepted, in bytes, after decompression. @default 67_108_864 (64 MiB) */
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The lines of a UTF-8 file, plain or gzipped, without their line ends; lines that end in the same
 * chunk of the file come together. Memory holds only that chunk and one line, however large the
 * file or its decompressed content.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with file and line
 */
export async function* fileLines(
  path: string,
  { maxLineBytes = 64 * mebibyte, signal }: FileLinesOptions = {},
): AsyncGenerator<readonly string[]> {
  const lines = lineReader(path, maxLineBytes);
  for await (const piece of filePieces(path, signal)) {
    const ended = lines.take(piece);
    if (ended.length > 0) yield ended;
  }
  yield lines.rest();
}

/**
 * The bytes of a file, plain or gzipped, decompressed, as they are read.
 *
 * @throws EspalierError `file-missing`; `file-malformed` for a damaged gzip file
 */
export async function* filePieces(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  try {
    const pieces: AsyncIterable<Buffer> = await unpacked(file);
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    throw isReadError(error) ? unreadable(path, error) : error;
  } finally {
    file.destroy();
  }
}

/**
 * Checks the first bytes, not the name: a file decompressed on its way sometimes keeps its `.gz`.
 */
async function unpacked(file: ReadStream): Promise<Readable> {
  // Nothing is read at a position, so a pipe works as well as a file.
  await once(file, "readable");
  const head = file.read() as Buffer | null;
  if (head === null) return file;
  file.unshift(head);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return file;
  const contents = file.pipe(createGunzip());
  // `pipe` does not pass errors on.
  file.once("error", (error) => contents.destroy(error));
  return contents;
}

interface ReadError extends Error {
  readonly code: string;
}

/** An error of the file system or zlib, not one that the consumer of the lines threw. */
function isReadError(error: unknown): error is ReadError {
  return (
    error instanceof Error &&
    !EspalierError.isInstance(error) &&
    "code" in error &&
    typeof error.code === "string"
  );
}

function unreadable(path: string, error: ReadError): EspalierError {
  const isPacked = error.code.startsWith("Z_");
  return new EspalierError({
    code: isPacked ? "file-malformed" : "file-missing",
    problem: isPacked ? "The gzip file is truncated or corrupt" : "The file cannot be read",
    got: messageOf(error),
    where: path,
    fix: isPacked
      ? "Download or write it again."
      : "Check the path; relative paths start at the working directory.",
    cause: error,
  });
}

/** Splits the chunks of a file into lines. */
interface LineReader {
  /** The lines that end in this chunk. */
  take(piece: Buffer): readonly string[];
  /** What follows the last line end; call once, at the end of the file. */
  rest(): readonly string[];
}

/**
 * Looks at each byte once: a line is assembled when it ends.
 *
 * @param path for errors
 * @throws EspalierError `file-malformed` with file and line, from `take` and `rest`
 */
export function lineReader(path: string, maxLineBytes: number): LineReader {
  // Only the first line of a file may begin with a byte order mark.
  let decoder = new TextDecoder("utf-8", { fatal: true });
  let partial: Buffer[] = [];
  let partialBytes = 0;
  let linesBefore = 0;

  const refuseLonger = (bytes: number, line: number): void => {
    if (bytes > maxLineBytes) throw lineTooLong(`${path}:${line}`, maxLineBytes);
  };
  const linesIn = (block: Buffer): readonly string[] => {
    if (block.length > maxLineBytes) {
      for (const [index, line] of byteLines(block)) {
        refuseLonger(line.length, linesBefore + index + 1);
      }
    }
    const texts = decoded(block).split("\n");
    linesBefore += texts.length;
    return texts.map((text) => (text.endsWith("\r") ? text.slice(0, -1) : text));
  };
  const decoded = (block: Buffer): string => {
    try {
      const text = decoder.decode(block);
      decoder = laterDecoder;
      return text;
    } catch (error) {
      const [bad = 0] = [...byteLines(block)].find(([, line]) => !isUtf8(line)) ?? [];
      throw notUtf8(`${path}:${linesBefore + bad + 1}`, error);
    }
  };
  return {
    take: (piece) => {
      const end = piece.lastIndexOf(lineFeed);
      const block = end < 0 ? undefined : Buffer.concat([...partial, piece.subarray(0, end)]);
      if (block !== undefined) [partial, partialBytes] = [[], 0];
      const lines = block === undefined ? [] : linesIn(block);
      partial.push(piece.subarray(end + 1));
      partialBytes += piece.length - end - 1;
      refuseLonger(partialBytes, linesBefore + 1);
      return lines;
    },
    rest: () => linesIn(Buffer.concat(partial)),
  };
}

const lineFeed = 0x0a;
const laterDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function* byteLines(block: Buffer): Generator<readonly [number, Buffer]> {
  let start = 0;
  for (let index = 0; ; index++) {
    const end = block.indexOf(lineFeed, start);
    yield [index, block.subarray(start, end < 0 ? undefined : end)];
    if (end < 0) return;
    start = end + 1;
  }
}

function notUtf8(where: string, cause: unknown): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file is not UTF-8 text",
    where,
    fix: "Convert it to UTF-8; if it is compressed with anything but gzip, decompress it first.",
    cause,
  });
}

export function lineTooLong(where: string, maxLineBytes: number): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the file is too long",
    expected: `lines of at most ${byteSize(maxLineBytes)}`,
    got: "a longer line",
    where,
    fix: "Check that the file has one row per line.",
  });
}
