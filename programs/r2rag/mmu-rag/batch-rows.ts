import type { BatchFormat } from "espalier/serve";
import { z } from "zod";
import { failedLine, resultLine } from "./result-line.ts";

const written = z.looseObject({
  query_id: z.union([z.string(), z.number()]),
  generated_response: z.string(),
});

/**
 * Reads rows `{ "query", "iid" }` and writes for each a line in the format of `POST /evaluate`;
 * other fields are ignored.
 */
export const batchRows: BatchFormat = {
  row: z
    .object({
      query: z.string().refine((query) => query.trim() !== "", "a non-empty question"),
      iid: z.union([z.string().min(1), z.int()], "a string or a whole number"),
    })
    .transform(({ query, iid }) => ({ id: iid, question: query })),
  idName: "iid",
  lineOf: resultLine,
  failedLine,
  idIn: (line) => written.safeParse(line).data?.query_id,
  shape: "one JSON object per line, with `query_id` and `generated_response`",
};
