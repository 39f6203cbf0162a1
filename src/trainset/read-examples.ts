import { z } from "zod";
import type { Example } from "../contract/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../signature/index.ts";
import { readJsonl } from "./read-jsonl.ts";

/**
 * Reads examples from a JSONL file with one `{ "id", "input", "labels", "cluster"? }` per line.
 *
 * @param fields the fields of `input` and `labels`; a program's own `input` can be passed directly
 * @throws EspalierError `file-missing`, `file-malformed` with the line
 * @example
 * const val = await readExamples("val.jsonl", {
 *   input: answerer.input,
 *   labels: { answers: z.array(z.string()) },
 * });
 */
export async function readExamples<TInput extends FieldSchemas, TLabels extends FieldSchemas>(
  path: string,
  fields: { readonly input: TInput; readonly labels: TLabels },
): Promise<readonly Example<InputOf<TInput>, OutputOf<TLabels>>[]> {
  const row = z.strictObject({
    id: z.string().min(1),
    input: z.strictObject({ ...fields.input }),
    labels: z.object({ ...fields.labels }),
    cluster: z.string().min(1).optional(),
  });
  return (await readJsonl(path, row)) as unknown as readonly Example<
    InputOf<TInput>,
    OutputOf<TLabels>
  >[];
}
