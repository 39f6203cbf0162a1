import { readFile } from "node:fs/promises";
import { EspalierError } from "../errors/index.ts";

/** A line of a text file that holds more than white space. */
export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a UTF-8 file. A byte order mark, CRLF, blank lines and a missing final newline are
 * all fine; a file without any row is not.
 */
export async function readLines(path: string): Promise<readonly Line[]> {
  const lines = decode(await readBytes(path), path)
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
      got: error instanceof Error ? error.message : String(error),
      where: path,
      fix: "Check the path; a relative one starts at the working directory.",
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
      fix: "Convert it to UTF-8; if its name ends in .gz, unpack it first.",
      cause: error,
    });
  }
}
