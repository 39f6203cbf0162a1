import type { z } from "zod";
import { EspalierError } from "../errors/index.ts";
import { excerpt } from "../internal/index.ts";

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
  throw new EspalierError({
    code: "file-malformed",
    problem: "The row does not have the declared shape",
    expected: first?.message ?? "a row that passes the schema",
    got: excerpt(JSON.stringify(valueAt(row, path)) ?? "nothing", 80),
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
