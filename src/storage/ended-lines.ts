import { constants } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { mebibyte } from "../internal/index.ts";
import { lineTooLong } from "./line-too-long.ts";

/**
 * The lines of a file that may be larger than the longest string, as bytes without their line ends.
 * Leaves out what follows the last line end: it was being written when the process died, or is now.
 *
 * @param options.maxLineBytes the longest line held in memory, terminated or not; by default as
 * many bytes as the longest string has characters, since our own files may hold replies of any size
 * @throws EspalierError `file-malformed` for a longer line
 */
export function* endedLines(
  path: string,
  { maxLineBytes = constants.MAX_STRING_LENGTH }: { readonly maxLineBytes?: number } = {},
): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    let partial: Buffer[] = [];
    let partialBytes = 0;
    let number = 1;
    const refuseLonger = (bytes: number): void => {
      if (bytes > maxLineBytes) throw lineTooLong(`${path}:${number}`, maxLineBytes);
    };
    for (;;) {
      const room = Buffer.allocUnsafe(mebibyte);
      const piece = room.subarray(0, readSync(file, room));
      if (piece.length === 0) return;
      let start = 0;
      for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
        refuseLonger(partialBytes + end - start);
        yield Buffer.concat([...partial, piece.subarray(start, end)]);
        partial = [];
        partialBytes = 0;
        number++;
        start = end + 1;
      }
      partial.push(piece.subarray(start));
      partialBytes += piece.length - start;
      refuseLonger(partialBytes);
    }
  } finally {
    closeSync(file);
  }
}
