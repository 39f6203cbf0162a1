import { dirname } from "node:path";
import { z } from "zod";
import type { Example } from "../contract/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../signature/index.ts";
import { isObject } from "../internal/index.ts";
import { checkRow } from "./check-row.ts";
import { imagesFromFiles } from "./images-from-files.ts";
import { jsonlValues } from "./read-jsonl.ts";

/**
 * Reads examples from a JSONL file with one `{ "id", "input", "labels", "cluster"? }` per line. An
 * image of `input` may be a path, relative to the file's folder: the picture itself takes its
 * place, so that an example is another one once the picture is.
 *
 * @param fields the fields of `input` and `labels`; a program's own `input` can be passed directly
 * @throws EspalierError `file-missing`, `file-malformed` with the line; the same for
 *   its images
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
  const rows: unknown[] = [];
  for (const { value, where } of await jsonlValues(path)) {
    rows.push(checkRow(await withImages(value, fields.input, path, where), row, where));
  }
  return rows as unknown as readonly Example<InputOf<TInput>, OutputOf<TLabels>>[];
}

async function withImages(
  value: unknown,
  fields: FieldSchemas,
  path: string,
  where: string,
): Promise<unknown> {
  if (!isObject(value)) return value;
  const input = await imagesFromFiles(value["input"], fields, {
    folder: dirname(path),
    where: (field) => `${where}, field \`input.${field}\``,
  });
  return input === value["input"] ? value : { ...value, input };
}
