import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import { readJsonl, readLines } from "../../trainset/index.ts";

/** A question of a batch. */
export interface BatchQuestion {
  readonly query: string;
  /** Unique in its file; 1 and "1" are the same. */
  readonly iid: string | number;
}

const row = z.object({
  query: z.string().refine((query) => query.trim() !== "", "a question that is not empty"),
  iid: z.union([z.string().min(1), z.int()], "a text or a whole number"),
});

/**
 * Reads questions, one `{ "query", "iid" }` a line; what else stands in a row is passed over.
 *
 * @throws EspalierError `file-missing`, or `file-malformed` with the line
 */
export async function readQuestions(path: string): Promise<readonly BatchQuestion[]> {
  const rows = await readJsonl(path, row);
  const lines = await readLines(path);
  const seen = new Map<string, number | undefined>();
  for (const [index, { iid }] of rows.entries()) {
    const line = lines[index]?.number;
    const before = seen.get(String(iid));
    if (before !== undefined) {
      throw new EspalierError({
        code: "file-malformed",
        problem: "Two questions have the same iid",
        expected: "an iid of its own for each question",
        got: `"${iid}" on line ${before} and again`,
        where: `${path}:${line}`,
      });
    }
    seen.set(String(iid), line);
  }
  return rows;
}
