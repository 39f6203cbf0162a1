import { fileLines } from "../storage/index.ts";
import { noRows } from "./check-row.ts";

/** A line of a text file that is not blank. */
export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  readonly text: string;
}

/**
 * Reads the lines of a UTF-8 file, gzipped or not. Accepts a byte order mark, CRLF, blank lines and
 * a missing final newline; rejects a file without any row.
 */
export async function readLines(path: string): Promise<readonly Line[]> {
  const rows: Line[] = [];
  let number = 0;
  for await (const lines of fileLines(path)) {
    for (const text of lines) {
      number++;
      if (text.trim() !== "") rows.push({ number, text });
    }
  }
  if (rows.length > 0) return rows;
  throw noRows(path);
}
