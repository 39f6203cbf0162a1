import { EspalierError } from "../errors/index.ts";
import { byteSize } from "../internal/index.ts";

export function lineTooLong(where: string, maxLineBytes: number): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the file is too long",
    expected: `lines of at most ${byteSize(maxLineBytes)}`,
    got: "a longer line",
    where,
    fix: "Check that the file has one row per line.",
  });
}
