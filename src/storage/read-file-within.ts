import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads a file from outside as UTF-8, if it is a file and no larger than this: nothing waits for a
 * pipe, and memory has a limit.
 */
export async function readFileWithin(path: string, maxBytes: number): Promise<string> {
  await using file = await open(path, flags);
  check(await file.stat(), maxBytes);
  return await file.readFile("utf8");
}

/** The same at once. */
export function readFileWithinSync(path: string, maxBytes: number): string {
  const file = openSync(path, flags);
  try {
    check(fstatSync(file), maxBytes);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

// To open a pipe would wait for its writer. Windows has no such flag.
const flags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

function check(
  stats: { isFile(): boolean; isDirectory(): boolean; readonly size: number },
  maxBytes: number,
): void {
  if (!stats.isFile()) throw new Error(stats.isDirectory() ? "it is a folder" : "it is no file");
  if (stats.size > maxBytes) {
    throw new Error(`it has ${stats.size} bytes, and may have ${maxBytes}`);
  }
}
