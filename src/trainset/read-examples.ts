import { dirname, resolve } from "node:path";
import { z } from "zod";
import type { Example, ImageUrl } from "../contract/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../signature/index.ts";
import {
  isObject,
  byteSize,
  dataUrlOf,
  imageTypeOf,
  isNoSuchFile,
  joinNames,
  jsonOrUndefined,
  maxImageBytes,
  otherTypeOf,
} from "../internal/index.ts";
import { checkRow } from "./check-row.ts";
import type { Row } from "./read-rows.ts";
import { readRows } from "./read-rows.ts";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isImageSchema } from "../signature/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/**
 * Reads examples from a JSONL, CSV or TSV file, as `readRows` does: `{ "id"?, "input", "labels",
 * "cluster"? }` per line, or flat rows, whose names are those of the fields beside `id` and
 * `cluster`; other names are left. A text in a flat row is read as JSON for a field that takes no
 * text; an empty one is null for a field that takes null. An image of `input` may be a path,
 * relative to the file's folder: the image itself replaces it, so that a changed image makes a
 * different example.
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
  const id = z.string().min(1);
  const cluster = z.string().min(1).optional();
  const nested = z.strictObject({
    id,
    input: z.strictObject({ ...fields.input }),
    labels: z.object({ ...fields.labels }),
    cluster,
  });
  const schemas: FieldSchemas = { ...fields.input, ...fields.labels, id, cluster };
  const flat = z.object({ ...schemas });
  const rows: unknown[] = [];
  const inputOf = (row: Row) => (isObject(row["input"]) ? row["input"] : taken(row, fields.input));
  for (const { row, where } of await readRows(path, inputOf)) {
    const isFlat = !isObject(row["input"]) && !isObject(row["labels"]);
    if (isFlat) refuseSharedNames(fields, row, where);
    const held = isFlat ? withValues(row, schemas) : row;
    const inputs = await imagesFromFiles(isFlat ? held : held["input"], fields.input, {
      folder: dirname(path),
      where: (field) => `${where}, field \`${isFlat ? "" : "input."}${field}\``,
    });
    rows.push(
      isFlat
        ? unflattened(checkRow(inputs, flat, where), fields)
        : checkRow({ ...held, input: inputs }, nested, where),
    );
  }
  return rows as unknown as readonly Example<InputOf<TInput>, OutputOf<TLabels>>[];
}

interface ExampleFields {
  readonly input: FieldSchemas;
  readonly labels: FieldSchemas;
}

function refuseSharedNames({ input, labels }: ExampleFields, row: Row, where: string): void {
  const own = new Set(["id", "cluster"]);
  const shared = Object.keys(input).find((name) => own.has(name) || Object.hasOwn(labels, name));
  if (shared === undefined) return;
  const [other, owner] = own.has(shared) ? ["row's own", "input"] : ["label", "label"];
  throw new EspalierError({
    code: "file-malformed",
    problem: `A flat row cannot tell the input \`${shared}\` from the ${other} \`${shared}\``,
    expected: 'an object "input" and an object "labels" in each row',
    got: joinNames(Object.keys(row).map((name) => `\`${name}\``)),
    where,
    fix: `Write the rows as JSONL with these two, or rename the ${owner}.`,
  });
}

function unflattened(row: Row, { input, labels }: ExampleFields): Row {
  const { id, cluster } = row;
  return {
    id,
    input: taken(row, input),
    labels: taken(row, labels),
    ...(cluster !== undefined && { cluster }),
  };
}

function taken(row: Row, schemas: FieldSchemas): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(schemas, name)));
}

/** A flat row whose texts stand for what its fields take; an empty one may stand for nothing. */
function withValues(row: Row, schemas: FieldSchemas): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, cell]) => {
      const value = Object.hasOwn(schemas, name) ? valueIn(cell, schemas[name]) : cell;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function valueIn(cell: unknown, schema: FieldSchemas[string] | undefined): unknown {
  if (schema === undefined || typeof cell !== "string") return cell;
  const read = (value: unknown) => z.safeParse(schema as z.core.$ZodType, value);
  const isEmpty = cell.trim() === "";
  if (isEmpty && read(null).data === null) return null;
  if (isImageSchema(schema) || read(cell).success) return cell;
  if (isEmpty) return undefined;
  const value = jsonOrUndefined(/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() : cell);
  return value === undefined ? cell : value;
}

/** Where the paths of images come from. */
export interface ImagePlace {
  /** The folder that paths are relative to. */
  readonly folder: string;
  /** Names a field and what holds it, for errors. */
  readonly where: (field: string) => string;
}

/**
 * A copy of inputs in which paths to images are the images themselves; addresses, `data:` URLs and
 * all other fields stay. The inputs themselves if nothing changed.
 *
 * @throws EspalierError as `readImage`
 */
export async function imagesFromFiles<TInputs>(
  inputs: TInputs,
  fields: FieldSchemas,
  { folder, where }: ImagePlace,
): Promise<TInputs> {
  if (!isObject(inputs)) return inputs;
  const read = async (value: unknown, field: string): Promise<unknown> =>
    typeof value === "string" && !isUrl(value)
      ? readImage(resolve(folder, value), where(field))
      : value;
  const changed: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    if (!Object.hasOwn(inputs, name) || !isImageSchema(schema)) continue;
    const value = inputs[name];
    changed[name] = Array.isArray(value)
      ? await Promise.all(value.map((item: unknown, index) => read(item, `${name}.${index}`)))
      : await read(value, name);
  }
  return Object.keys(changed).length === 0 ? inputs : { ...inputs, ...changed };
}

function isUrl(text: string): boolean {
  return /^(?:https?|data):/i.test(text);
}

/**
 * Reads a PNG, JPEG, WebP or GIF of at most 10 MiB, as the value of an `image()` field: a `data:`
 * URL with all of its bytes, so that whatever depends on it depends on what the file holds now.
 *
 * @param where what names the file, for errors
 * @throws EspalierError `file-missing`, or `file-malformed` for another kind of file
 * @example
 * await readReceipt.run({ receipt: await readImage("receipt.png") }, { lm });
 */
export async function readImage(path: string, where: string = path): Promise<ImageUrl> {
  const bytes = await bytesOf(path, where);
  const type = imageTypeOf(bytes);
  if (type !== null) return dataUrlOf(type, bytes);
  throw new EspalierError({
    code: "file-malformed",
    problem: `The file \`${path}\` is not an image that models can read`,
    where,
    expected: "a PNG, JPEG, WebP or GIF",
    got: otherTypeOf(bytes),
    fix: "Convert it; a file's name does not determine its format.",
  });
}

// Opening a pipe would wait for its writer. Windows lacks this flag.
const flags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

async function bytesOf(path: string, where: string): Promise<Uint8Array> {
  try {
    await using file = await open(path, flags);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size <= maxImageBytes) return await file.readFile();
    throw new Error(`it has ${byteSize(stats.size)}`);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The image \`${path}\` cannot be read`,
      where,
      expected: "a PNG, JPEG, WebP or GIF of at most 10 MiB",
      got: isNoSuchFile(error) ? "no such file" : messageOf(error),
      fix: "Check the path; shrink a larger image, since models scale it down anyway.",
      cause: error,
    });
  }
}
