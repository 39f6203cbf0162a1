import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { excerpt, mebibyte, parseJson } from "../internal/index.ts";
import { filePieces } from "../storage/index.ts";
import { checkRow } from "./check-row.ts";
import type { JsonItem } from "./json-scanner.ts";
import { jsonScanner } from "./json-scanner.ts";

export interface JsonRowsOptions {
  /** Keys of a single object that may hold the list, such as `data`. @default none */
  readonly lists?: readonly string[];
  /** Maximum size of one row, in bytes, after decompression. @default 67_108_864 (64 MiB) */
  readonly maxRowBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A row and its place. */
export interface JsonRow<TRow> {
  readonly row: TRow;
  /** File and line, and the row's number where a line may hold several, for errors. */
  readonly where: string;
}

/**
 * Rows of a file that holds a list of JSON objects, gzipped or not: `[{...}, {...}]`, a list under
 * a key of one object, or one object per line. Memory holds one row at a time, however large the
 * file, even if it is a single line; `readJsonl` reads a file of lines at once.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with file, line and field, also if there
 * are no rows
 * @example
 * for await (const { row } of jsonRows("dev-v1.1.json", article, { lists: ["data"] })) use(row);
 */
export async function* jsonRows<TSchema extends z.ZodType>(
  path: string,
  schema: TSchema,
  { lists = [], maxRowBytes = 64 * mebibyte, signal }: JsonRowsOptions = {},
): AsyncGenerator<JsonRow<z.output<TSchema>>> {
  const scanner = jsonScanner({ path, lists, maxItemBytes: maxRowBytes });
  let count = 0;
  for await (const piece of filePieces(path, signal)) {
    for (const item of scanner.take(piece)) {
      count++;
      const where = `${path}:${item.line} (row ${item.number})`;
      yield { row: checkRow(parsed(item, where), schema, where), where };
    }
  }
  scanner.end();
  if (count > 0) return;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file holds no rows",
    where: path,
    fix: "Check that the file was written or downloaded completely.",
  });
}

function parsed({ bytes }: JsonItem, where: string): unknown {
  const text = bytes.toString("utf8");
  try {
    return parseJson(text);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The row is not JSON",
      expected: "a JSON object",
      got: `${excerpt(text, 80)} (${(error as Error).message})`,
      where,
      fix: "Correct the row, or download the file again.",
      cause: error,
    });
  }
}
