import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { EspalierError, messageOf } from "../errors/index.ts";

/** A line of a text file that holds more than white space. */
export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a UTF-8 file, packed with gzip or not. A byte order mark, CRLF, blank lines and a
 * missing final newline are all fine; a file without any row is not.
 */
export async function readLines(path: string): Promise<readonly Line[]> {
  const lines = decode(await unpacked(await readBytes(path), path), path)
    .split(/\r?\n/)
    .map((text, index) => ({ number: index + 1, text }))
    .filter(({ text }) => text.trim() !== "");
  if (lines.length === 0) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file holds no rows",
      where: path,
      fix: "Check that it was written, or downloaded, completely.",
    });
  }
  return lines;
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: "The file cannot be read",
      got: messageOf(error),
      where: path,
      fix: "Check the path; a relative one starts at the working directory.",
      cause: error,
    });
  }
}

/** By the first bytes, not the name: a file that was unpacked on the way keeps its `.gz` now and then. */
async function unpacked(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file is packed with gzip, but not whole",
      got: messageOf(error),
      where: path,
      fix: "Fetch or write it again.",
      cause: error,
    });
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file is not text in UTF-8",
      where: path,
      fix: "Convert it to UTF-8; if it is packed with anything but gzip, unpack it first.",
      cause: error,
    });
  }
}
