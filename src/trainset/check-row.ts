import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { excerpt, isLargeInteger, nearestName } from "../internal/index.ts";

/**
 * The row as its schema reads it.
 *
 * @param where file and line, for errors
 * @throws EspalierError `file-malformed` with the first field that does not match
 */
export function checkRow<TSchema extends z.ZodType>(
  row: unknown,
  schema: TSchema,
  where: string,
): z.output<TSchema> {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const path = first?.path ?? [];
  const got = valueAt(row, path);
  const isMissing = got === undefined && path.length > 0;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The row does not have the declared shape",
    expected: expectedOf(first?.message, got),
    got: isMissing ? `nothing${besides(row, path)}` : excerpt(JSON.stringify(got) ?? "nothing", 80),
    where: path.length === 0 ? where : `${where}, field \`${path.join(".")}\``,
    fix: others.length === 0 ? "Correct it." : `Correct it and ${others.length} more in this row.`,
  });
}

/** `file-malformed` for a file without a row. */
export function noRows(path: string, expected?: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file holds no rows",
    ...(expected !== undefined && { expected }),
    where: path,
    fix: "Check that the file was written or downloaded completely.",
  });
}

/** zod's message names what came as well, which is told apart. */
function expectedOf(message = "a row that passes the schema", got: unknown): string {
  const kind = /^Invalid input: expected (.+), received \w+$/.exec(message)?.[1];
  if (kind === undefined) return message;
  const most =
    kind === "number" && isLargeInteger(got)
      ? ` of at most ${Number.MAX_SAFE_INTEGER} in size`
      : "";
  return `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind}${most}`;
}

/** What there is in place of a missing field: it may be misspelt. */
function besides(row: unknown, path: readonly PropertyKey[]): string {
  const beside = valueAt(row, path.slice(0, -1));
  const names = typeof beside === "object" && beside !== null ? Object.keys(beside) : [];
  if (names.length === 0) return "";
  const nearest = nearestName(String(path.at(-1)), names);
  const shown = names.slice(0, 5).map((name) => `\`${name}\``);
  return nearest === undefined
    ? `; other fields: ${shown.join(", ")}${names.length > 5 ? ", ..." : ""}`
    : `, but \`${nearest}\``;
}

function valueAt(row: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (held, key) => (typeof held === "object" && held !== null ? Reflect.get(held, key) : undefined),
    row,
  );
}
