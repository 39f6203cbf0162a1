import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { mebibyte } from "../internal/index.ts";
import { makePrivateFolder, privateModes } from "./private-files.ts";
import type { WriteFaultReport } from "./write-fault.ts";
import { writeFault } from "./write-fault.ts";

/** Appends lines of JSON in sequence, so that none is torn by another. */
export interface LineAppender {
  /**
   * Resolves once the line is written. After the first failure, every call rejects.
   *
   * @throws EspalierError `write-failed`
   */
  append(value: object): Promise<void>;
  /** Throws the error of the first line that could not be written. */
  throwIfFailed(): void;
}

/**
 * Unlike `openJsonlFile`, which reads the existing lines and holds the file open, this opens the
 * file for each line, so that nothing has to be closed. The first line creates the file, readable
 * only by its owner, or cuts off a line that a kill left unterminated.
 */
export function lineAppender(path: string, report: WriteFaultReport): LineAppender {
  let written: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  return {
    append: (value) => {
      const before = (written ??= prepare(path));
      written = before
        .then(() => import("node:fs/promises"))
        .then(({ appendFile }) => appendFile(path, `${JSON.stringify(value)}\n`))
        .catch((error: unknown) => {
          failure ??= { error: writeFault(error, path, report) };
          throw failure.error;
        });
      return written;
    },
    throwIfFailed: () => {
      if (failure !== undefined) throw failure.error;
    },
  };
}

async function prepare(path: string): Promise<void> {
  makePrivateFolder(dirname(path));
  const { open } = await import("node:fs/promises");
  await using file = await open(path, "a+", privateModes.file);
  await cutTornLine(file);
}

/** Cuts off everything after the last line feed. */
async function cutTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const room = Buffer.alloc(Math.min(size, mebibyte));
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - room.length);
    const { bytesRead } = await file.read(room, 0, end - start, start);
    const at = room.subarray(0, bytesRead).lastIndexOf("\n");
    if (at >= 0) return file.truncate(start + at + 1);
    end = start;
  }
  await file.truncate(0);
}
