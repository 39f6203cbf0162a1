import type { FileHandle } from "node:fs/promises";
import { mebibyte } from "../internal/index.ts";

/** Cuts off what stands behind the last line feed of a file: a killed process left it without its end. */
export async function cutTornLine(file: FileHandle): Promise<void> {
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
