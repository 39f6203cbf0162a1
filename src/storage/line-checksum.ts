import { crc32 } from "node:zlib";
import { EspalierError } from "../errors/index.ts";
import type { LinesAdvice } from "./lines-advice.ts";

/** The line of an object, with a checksum of everything before it as its last property. */
export function withChecksum(value: object): string {
  const json = JSON.stringify(value);
  return `${json.slice(0, -1)},"crc":"${checksumOf(json)}"}`;
}

/** Checks the lines of a file, in order. */
export interface LineChecker {
  /**
   * Rejects a line that differs from what was written. If the first line has a checksum, every line
   * must have one; in a file started before checksums existed, only the lines that have one are
   * checked.
   *
   * @throws EspalierError `file-malformed`
   */
  check(value: unknown): void;
  /**
   * Whether any line had a checksum; in a file started before checksums existed, such lines may
   * follow others.
   */
  readonly hasAny: boolean;
}

export function lineChecker(path: string, { startOver }: LinesAdvice): LineChecker {
  let [count, hasFirst, hasAny] = [0, false, false];
  return {
    check: (value) => {
      const { crc, ...rest } = value as { readonly crc?: unknown };
      const number = ++count;
      if (number === 1) hasFirst = crc !== undefined;
      hasAny ||= crc !== undefined;
      if (crc === undefined ? !hasFirst : crc === checksumOf(JSON.stringify(rest))) return;
      throw new EspalierError({
        code: "file-malformed",
        problem: "A line of the file was changed after it was written",
        where: `${path}:${number}`,
        expected: "the checksum of its content as `crc`",
        got: crc === undefined ? "no checksum" : JSON.stringify(crc),
        fix: `The file is left unchanged: restore it from a backup, or ${startOver}.`,
      });
    },
    get hasAny() {
      return hasAny;
    },
  };
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
