import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { ImageUrl } from "../contract/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";
import {
  byteSize,
  dataUrlOf,
  imageTypeOf,
  isNoSuchFile,
  mostImageBytes,
  otherTypeOf,
} from "../internal/index.ts";

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
