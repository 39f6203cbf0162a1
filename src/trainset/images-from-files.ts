import { resolve } from "node:path";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import {
  byteSize,
  dataUrlOf,
  imageTypeOf,
  isNoSuchFile,
  isObject,
  mostImageBytes,
  otherTypeOf,
} from "../internal/index.ts";
import type { FieldSchemas } from "../signature/index.ts";
import { isImageSchema } from "../signature/index.ts";
import type { ImageUrl } from "../contract/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

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
      ? await Promise.all(value.map((item: unknown, place) => read(item, `${name}.${place}`)))
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
    problem: `The file \`${path}\` is no image that models read`,
    where,
    expected: "a PNG, JPEG, WebP or GIF",
    got: otherTypeOf(bytes),
    fix: "Convert it; the name of a file says nothing of what it holds.",
  });
}

// Opening a pipe would wait for its writer. Windows lacks this flag.
const flags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

async function bytesOf(path: string, where: string): Promise<Uint8Array> {
  try {
    await using file = await open(path, flags);
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is no regular file");
    if (stats.size <= mostImageBytes) return await file.readFile();
    throw new Error(`it has ${byteSize(stats.size)}`);
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The image \`${path}\` cannot be read`,
      where,
      expected: "a PNG, JPEG, WebP or GIF of at most 10 MiB",
      got: isNoSuchFile(error) ? "no such file" : messageOf(error),
      fix: "Check the path; make a larger image smaller, since models scale it down anyway.",
      cause: error,
    });
  }
}
