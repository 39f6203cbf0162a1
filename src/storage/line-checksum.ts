import { crc32 } from "node:zlib";
import { EspalierError } from "../errors/index.ts";
import type { LinesAdvice } from "./lines-advice.ts";

/** The line of an object, with a checksum of everything before it as its last property. */
export function withChecksum(value: object): string {
  const json = JSON.stringify(value);
  return `${json.slice(0, -1)},"crc":"${checksumOf(json)}"}`;
}

/**
 * Rejects lines that differ from what was written. If the first line has a checksum, every line
 * must have one; in a file started before checksums existed, only the lines that have one are
 * checked.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkLines(
  path: string,
  values: readonly unknown[],
  { startOver }: LinesAdvice,
): void {
  const hasFirst = crcOf(values[0]) !== undefined;
  for (const [index, value] of values.entries()) {
    const { crc, ...rest } = value as { readonly crc?: unknown };
    if (crc === undefined ? !hasFirst : crc === checksumOf(JSON.stringify(rest))) continue;
    throw new EspalierError({
      code: "file-malformed",
      problem: "A line of the file was changed after it was written",
      where: `${path}:${index + 1}`,
      expected: "the checksum of its content as `crc`",
      got: crc === undefined ? "no checksum" : JSON.stringify(crc),
      fix: `The file is left unchanged: restore it from a backup, or ${startOver}.`,
    });
  }
}

/**
 * Whether any line has a checksum; in a file started before checksums existed, such lines may
 * follow others.
 */
export function hasChecksums(values: readonly unknown[]): boolean {
  return values.some((value) => crcOf(value) !== undefined);
}

function crcOf(value: unknown): unknown {
  return (value as { readonly crc?: unknown } | undefined)?.crc;
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
