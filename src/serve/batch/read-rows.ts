import type { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import { readJsonl, readLines } from "../../trainset/index.ts";

/**
 * Reads the rows of a batch, one per line.
 *
 * @param idName what the file calls the id, for messages
 * @throws EspalierError `file-missing`, or `file-malformed` with the line
 */
export async function readRows<TRow extends { readonly id: string | number }>(
  path: string,
  row: z.ZodType<TRow>,
  idName = "id",
): Promise<readonly TRow[]> {
  const rows = await readJsonl(path, row);
  const lines = await readLines(path);
  const seen = new Map<string, number | undefined>();
  for (const [index, { id }] of rows.entries()) {
    const line = lines[index]?.number;
    const before = seen.get(String(id));
    if (before !== undefined) {
      throw new EspalierError({
        code: "file-malformed",
        problem: `Two rows have the same ${idName}`,
        expected: `a unique ${idName} in each row`,
        got: `"${id}" again, first on line ${before}`,
        where: `${path}:${line}`,
      });
    }
    seen.set(String(id), line);
  }
  return rows;
}
