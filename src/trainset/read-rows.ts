import { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { contentHash, excerpt, joinNames, parseJson } from "../internal/index.ts";
import { fileLines } from "../storage/index.ts";
import { checkRow, noRows } from "./check-row.ts";
import type { JsonRow } from "./json-rows.ts";
import type { Line } from "./read-lines.ts";
import { readLines } from "./read-lines.ts";

/** A row as its file has it, with a text for its id and, if it has one, its cluster. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of a JSONL file or, by its name, a CSV or TSV file with a line of column names; each may be
 * gzipped. An `id` or a `cluster` may be a number; null and an empty one count as absent. A row
 * without an id gets one from its input, so that the id stays the same wherever the row is and as
 * labels change; rows of one input are numbered in their order. Cells are texts; commas, semicolons
 * or tabs separate them.
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
    expected: "text or a number",
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
      problem: "The first line does not give each column its own name",
      expected: "distinct names in the first line",
      got: shown.join(", "),
      where: `${path}:1`,
      fix: "Give each column a unique name; pandas leaves out its index with `index=False`.",
    });
  }
  if (records.length === 0) throw noRows(path, "a line of column names, and rows below");
  const ragged = records.find(({ record }) => record.length !== columns.length);
  if (ragged !== undefined) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The row does not have exactly one value for each column",
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

export interface ReadJsonlOptions {
  /**
   * How to treat `NaN`, `Infinity` and `-Infinity` outside strings, which Python's `json` writes
   * although they are not JSON: as an error, or as null. @default "refuse"
   */
  readonly bareNonFinite?: "refuse" | "null";
}

/**
 * Reads a file with one JSON value per line, gzipped or not, and checks each row. Throws an
 * `EspalierError` that names file and line for the first invalid row: `file-missing` or
 * `file-malformed`.
 *
 * @example const rows = await readJsonl("questions.jsonl", z.object({ id: z.string(), question:
 * z.string() }));
 */
export async function readJsonl<TSchema extends z.ZodType>(
  path: string,
  schema: TSchema,
  options: ReadJsonlOptions = {},
): Promise<z.output<TSchema>[]> {
  const values = await jsonlValues(path, options);
  return values.map(({ value, where }) => checkRow(value, schema, where));
}

/** The values of such a file before they are checked, each with its place for errors. */
async function jsonlValues(
  path: string,
  { bareNonFinite = "refuse" }: ReadJsonlOptions = {},
): Promise<readonly { readonly value: unknown; readonly where: string }[]> {
  const lines = await readLines(path);
  const asJson = (line: Line) =>
    bareNonFinite === "refuse" ? line : { ...line, text: withNulls(line.text) };
  return lines.map((line) => ({
    value: parseLine(asJson(line), path),
    where: `${path}:${line.number}`,
  }));
}

function parseLine(line: Line, path: string): unknown {
  try {
    return parseJson(line.text);
  } catch (error) {
    const bareNumber = firstNonFinite(line.text);
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not JSON",
      expected: "one JSON value on the line",
      got: bareNumber ?? `${excerpt(line.text, 80)} (${(error as Error).message})`,
      where: `${path}:${line.number}`,
      fix:
        bareNumber === undefined
          ? "Correct the line, or rewrite the file with one `JSON.stringify` per row."
          : "Write null instead; in Python, `json.dumps(row, allow_nan=False)` raises at the value.",
      cause: error,
    });
  }
}

/** The three number tokens that JSON does not have. */
const nonFinite = /-?\b(?:NaN|Infinity)\b/g;

function withNulls(text: string): string {
  return partsOf(text)
    .map(({ part, isString }) => (isString ? part : part.replaceAll(nonFinite, "null")))
    .join("");
}

function firstNonFinite(text: string): string | undefined {
  for (const { part, isString } of partsOf(text)) {
    const [found] = (isString ? null : part.match(nonFinite)) ?? [];
    if (found !== undefined) return `a bare ${found}, which is not JSON`;
  }
  return undefined;
}

interface JsonPart {
  readonly part: string;
  readonly isString: boolean;
}

/** Splits JSON into its strings and the text between them, in time linear in its length. */
function partsOf(text: string): readonly JsonPart[] {
  const parts: JsonPart[] = [];
  for (let start = 0; start < text.length;) {
    const opening = text.indexOf('"', start);
    if (opening < 0) return [...parts, { part: text.slice(start), isString: false }];
    const end = endOfString(text, opening);
    parts.push({ part: text.slice(start, opening), isString: false });
    parts.push({ part: text.slice(opening, end), isString: true });
    start = end;
  }
  return parts;
}

function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
