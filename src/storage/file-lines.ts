import { constants } from "node:buffer";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { ReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EspalierError, messageOf } from "../errors/index.ts";
import { mebibyte } from "../internal/index.ts";
import { lineReader } from "./line-reader.ts";

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
 * @throws EspalierError `file-missing`; `file-malformed` with file and line; `option-invalid`
 */
export async function* fileLines(
  path: string,
  { maxLineBytes = 64 * mebibyte, signal }: FileLinesOptions = {},
): AsyncGenerator<readonly string[]> {
  checkLimit(maxLineBytes);
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

function checkLimit(maxLineBytes: number): void {
  const most = constants.MAX_STRING_LENGTH;
  if (Number.isInteger(maxLineBytes) && maxLineBytes >= 1 && maxLineBytes <= most) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "Option `maxLineBytes` is outside its range",
    expected: `\`maxLineBytes\`, a whole number from 1 to ${most}`,
    got: String(maxLineBytes),
  });
}
