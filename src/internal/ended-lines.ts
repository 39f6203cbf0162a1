import { closeSync, openSync, readSync } from "node:fs";
import { mebibyte } from "./byte-size.ts";

/**
 * The lines of a file that may be larger than the longest string, as bytes and without their ends. What
 * comes after the last end is left out: it was being written when the process died, or is now.
 */
export function* endedLines(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    let begun: Buffer[] = [];
    for (;;) {
      const room = Buffer.allocUnsafe(mebibyte);
      const piece = room.subarray(0, readSync(file, room));
      if (piece.length === 0) return;
      let start = 0;
      for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
        yield Buffer.concat([...begun, piece.subarray(start, end)]);
        begun = [];
        start = end + 1;
      }
      begun.push(piece.subarray(start));
    }
  } finally {
    closeSync(file);
  }
}
