import { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { contentHash } from "../internal/index.ts";
import { fileLines } from "../storage/index.ts";
import { checkRow } from "./check-row.ts";
import type { JsonRow } from "./json-rows.ts";
import { jsonlValues } from "./read-jsonl.ts";

/** A row as its file has it, and an id. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of a JSONL file or, by its name, a CSV file with a line of column names; either may be
 * gzipped. A row without an id gets one from its content, so that it keeps it wherever it stands.
 * Cells of CSV are texts; commas, semicolons or tabs separate them.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 * @example const rows = await readRows("questions.csv");
 */
export async function readRows(path: string): Promise<readonly JsonRow<Row>[]> {
  const values = await (/\.csv(\.gz)?$/i.test(path) ? csvValues(path) : jsonlValues(path));
  const copies = new Map<string, number>();
  return values.map(({ value, where }) => {
    const row: Row = checkRow(value, z.looseObject({}), where);
    const { id } = row;
    if (id !== undefined)
      return { row: { ...row, id: typeof id === "number" ? `${id}` : id }, where };
    const hash = contentHash(row).slice(0, 16);
    const copy = (copies.get(hash) ?? 0) + 1;
    copies.set(hash, copy);
    return { row: { id: copy === 1 ? hash : `${hash}-${copy}`, ...row }, where };
  });
}

async function csvValues(path: string): Promise<readonly Value[]> {
  const lines: string[] = [];
  for await (const some of fileLines(path)) lines.push(...some);
  const [{ record: names } = { record: [] }, ...records] = await csvRecords(path, lines);
  const columns = names.map((name) => name.trim());
  if (columns.includes("") || new Set(columns).size < columns.length || records.length === 0) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file does not begin with a name for each column, or holds no rows",
      expected: "names that all differ in the first line, and rows below",
      got: `${columns.map((name) => `\`${name}\``).join(", ") || "no names"}, and ${records.length} rows`,
      where: `${path}:1`,
      fix: "Give each column a name of its own.",
    });
  }
  return records.map(({ record, line }) => ({
    value: Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ""])),
    where: `${path}:${line}`,
  }));
}

interface Value {
  readonly value: unknown;
  readonly where: string;
}

interface CsvRecord {
  readonly record: readonly string[];
  /** On which it begins. */
  readonly line: number;
}

async function csvRecords(path: string, lines: readonly string[]): Promise<readonly CsvRecord[]> {
  const { CsvError, parse } = await import("csv-parse/sync");
  const [first = ""] = lines;
  const [delimiter = ","] = [",", ";", "\t"].toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  );
  try {
    const options = { delimiter, record_delimiter: "\n", skip_empty_lines: true, info: true };
    const read: unknown = parse(lines.join("\n"), options);
    return (read as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      line: info.lines - (record.join("").split("\n").length - 1),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not CSV",
      expected:
        "as many cells as the first line has names, quoted where they hold a comma, a quote or a line break",
      got: error.message,
      where: `${path}:${String(error["lines"])}`,
      fix: 'Correct the line; a quote within quotes is written "".',
      cause: error,
    });
  }
}
