import { crc32 } from "node:zlib";
import { EspalierError } from "../errors/index.ts";
import type { LinesAdvice } from "./lines-advice.ts";

/** The line of an object, with a checksum of everything before it as its last property. */
export function withChecksum(value: object): string {
  const json = JSON.stringify(value);
  return `${json.slice(0, -1)},"crc":"${checksumOf(json)}"}`;
}

/**
 * Rejects a line that differs from what was written.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkLineSum(
  value: unknown,
  { where, advice }: { readonly where: string; readonly advice: LinesAdvice },
): void {
  const { crc, ...rest } = value as { readonly crc?: unknown };
  if (crc === checksumOf(JSON.stringify(rest))) return;
  throw new EspalierError({
    code: "file-malformed",
    problem: "A line of the file was changed after it was written",
    where,
    expected: "the checksum of its content as `crc`",
    got: crc === undefined ? "no checksum" : JSON.stringify(crc),
    fix: `The file is left unchanged: restore it from a backup, or ${advice.startOver}.`,
  });
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
