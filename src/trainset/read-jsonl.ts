import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import type { Line } from "./read-lines.ts";
import { readLines } from "./read-lines.ts";

export interface ReadJsonlOptions {
  /**
   * What becomes of `NaN`, `Infinity` and `-Infinity` outside strings, which Python's `json` writes
   * although JSON has no word for them: an error, or null. @default "refuse"
   */
  readonly bareNonFinite?: "refuse" | "null";
}

/**
 * Reads a file of one JSON value per line, packed with gzip or not, and checks each row. The first
 * bad row ends it with an `EspalierError` that names file and line: `file-missing` or
 * `file-malformed`.
 *
 * @example
 * const rows = await readJsonl("questions.jsonl", z.object({ id: z.string(), question: z.string() }));
 */
export async function readJsonl<TSchema extends z.ZodType>(
  path: string,
  schema: TSchema,
  { bareNonFinite = "refuse" }: ReadJsonlOptions = {},
): Promise<z.output<TSchema>[]> {
  const lines = await readLines(path);
  const asJson = (line: Line) =>
    bareNonFinite === "refuse" ? line : { ...line, text: withNulls(line.text) };
  return lines.map((line) =>
    checkRow(parseLine(asJson(line), path), schema, `${path}:${line.number}`),
  );
}

function parseLine(line: Line, path: string): unknown {
  try {
    return JSON.parse(line.text);
  } catch (error) {
    const bareNumber = firstNonFinite(line.text);
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not JSON",
      expected: "one JSON value on the line",
      got: bareNumber ?? `${excerpt(line.text)} (${(error as Error).message})`,
      where: `${path}:${line.number}`,
      fix:
        bareNumber === undefined
          ? "Correct the line, or write the file again with one `JSON.stringify` per row."
          : "Write null instead; in Python `json.dumps(row, allow_nan=False)` finds the place.",
      cause: error,
    });
  }
}

/** A string, to be passed over, or one of the three words. */
const stringOrNonFinite = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

function withNulls(text: string): string {
  return text.replaceAll(stringOrNonFinite, (found) => (found.startsWith('"') ? found : "null"));
}

function firstNonFinite(text: string): string | undefined {
  const found = text.match(stringOrNonFinite)?.find((match) => !match.startsWith('"'));
  return found === undefined ? undefined : `a bare ${found}, which is not JSON`;
}

function checkRow<TSchema extends z.ZodType>(
  row: unknown,
  schema: TSchema,
  where: string,
): z.output<TSchema> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const path = first?.path ?? [];
  throw new EspalierError({
    code: "file-malformed",
    problem: "The row does not have the declared shape",
    expected: first?.message ?? "a row that passes the schema",
    got: excerpt(JSON.stringify(valueAt(row, path)) ?? "nothing"),
    where: path.length === 0 ? where : `${where}, field \`${path.join(".")}\``,
    fix: others.length === 0 ? "Correct it." : `Correct it and ${others.length} more in this row.`,
  });
}

function valueAt(row: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === "object" && held !== null ? Reflect.get(held, key) : undefined),
    row,
  );
}

function excerpt(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
