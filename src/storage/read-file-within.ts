import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import type { ErrorReport } from "../errors/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";

/**
 * Reads an untrusted file as UTF-8 if it is a regular file no larger than the limit: never waits
 * for a pipe, and bounds memory.
 */
export async function readFileWithin(path: string, maxBytes: number): Promise<string> {
  const { open } = await import("node:fs/promises");
  await using file = await open(path, flags);
  check(await file.stat(), maxBytes);
  return await file.readFile("utf8");
}

/** As `readFileWithin`. @throws EspalierError `file-missing` if the file cannot be read */
export function readNamedFile(
  path: string,
  maxBytes: number,
  report: Pick<ErrorReport, "problem" | "where" | "fix">,
): Promise<string> {
  return readFileWithin(path, maxBytes).catch((cause: unknown) => {
    throw new EspalierError({ code: "file-missing", ...report, got: messageOf(cause), cause });
  });
}

/** The synchronous variant of `readFileWithin`. */
export function readFileWithinSync(path: string, maxBytes: number): string {
  const file = openSync(path, flags);
  try {
    check(fstatSync(file), maxBytes);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

// Opening a pipe would wait for its writer. Windows lacks this flag.
const flags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

function check(
  stats: { isFile(): boolean; isDirectory(): boolean; readonly size: number },
  maxBytes: number,
): void {
  if (!stats.isFile())
    throw new Error(stats.isDirectory() ? "it is a folder" : "it is not a regular file");
  if (stats.size > maxBytes) {
    throw new Error(`it has ${stats.size} bytes; the limit is ${maxBytes}`);
  }
}
