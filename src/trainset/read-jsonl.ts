import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { excerpt, parseJson } from "../internal/index.ts";
import { checkRow } from "./check-row.ts";
import type { Line } from "./read-lines.ts";
import { readLines } from "./read-lines.ts";

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
export async function jsonlValues(
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
