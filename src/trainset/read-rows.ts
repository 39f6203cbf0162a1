import { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { contentHash, excerpt, joinNames } from "../internal/index.ts";
import { fileLines } from "../storage/index.ts";
import { checkRow, noRows } from "./check-row.ts";
import type { JsonRow } from "./json-rows.ts";
import { jsonlValues } from "./read-jsonl.ts";

/** A row as its file has it, with a text for its id and, if it has one, its cluster. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of a JSONL file or, by its name, a CSV or TSV file with a line of column names; each may be
 * gzipped. An `id` or a `cluster` may be a number; null and an empty one count as absent. A row
 * without an id gets one from its input, so that it keeps it wherever it stands and as labels
 * change; rows of one input are numbered in their order. Cells are texts; commas, semicolons or
 * tabs separate them.
 *
 * @param inputOf the input in a row, without its id and cluster. @default all of it
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 * @example const rows = await readRows("questions.csv");
 */
export async function readRows(
  path: string,
  inputOf: (row: Row) => unknown = (row) => row,
): Promise<readonly JsonRow<Row>[]> {
  const values = await (/\.[ct]sv(\.gz)?$/i.test(path) ? csvValues(path) : jsonlValues(path));
  const copies = new Map<string, number>();
  return values.map(({ value, where }) => {
    const { id, cluster, ...rest }: Row = checkRow(value, z.looseObject({}), where);
    const group = nameFrom(cluster, `${where}, field \`cluster\``);
    const held = { ...rest, ...(group !== undefined && { cluster: group }) };
    const own = nameFrom(id, `${where}, field \`id\``);
    if (own !== undefined) return { row: { id: own, ...held }, where };
    const hash = contentHash(inputOf(rest)).slice(0, 16);
    const copy = (copies.get(hash) ?? 0) + 1;
    copies.set(hash, copy);
    return { row: { id: copy === 1 ? hash : `${hash}-${copy}`, ...held }, where };
  });
}

function nameFrom(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" || typeof value === "number") return `${value}`;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The row does not have the declared shape",
    expected: "a text or a number",
    got: excerpt(JSON.stringify(value), 80),
    where,
    fix: "Correct it, or leave it out.",
  });
}

async function csvValues(path: string): Promise<readonly Value[]> {
  const lines: string[] = [];
  for await (const some of fileLines(path)) lines.push(...some);
  const [{ record: names } = { record: [] }, ...records] = await csvRecords(path, lines);
  const columns = names.map((name) => name.trim());
  const shown = columns.map((name) => `\`${name}\``);
  if (columns.includes("") || new Set(columns).size < columns.length) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file does not begin with a name for each column",
      expected: "names that all differ in the first line",
      got: shown.join(", "),
      where: `${path}:1`,
      fix: "Give each column a name of its own; pandas leaves out its index with `index=False`.",
    });
  }
  if (records.length === 0) throw noRows(path, "a line of column names, and rows below");
  const ragged = records.find(({ record }) => record.length !== columns.length);
  if (ragged !== undefined) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The row does not have a value for each column, and no more",
      expected: `${columns.length}, for ${joinNames(shown)}`,
      got: `${ragged.record.length}`,
      where: `${path}:${ragged.line}`,
      fix: "Quote values that hold the separator, a quote or a line break.",
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
    const read: unknown = parse(lines.join("\n"), {
      delimiter,
      record_delimiter: "\n",
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    });
    return (read as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      record,
      line: info.lines - (record.join("").split("\n").length - 1),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not CSV",
      expected: "cells that are quoted where they hold the separator, a quote or a line break",
      got: error.message,
      where: `${path}:${String(error["lines"])}`,
      fix: 'Correct the line; a quote within quotes is written "".',
      cause: error,
    });
  }
}
