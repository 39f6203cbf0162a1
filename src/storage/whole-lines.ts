import { EspalierError } from "../errors/index.ts";
import { parseJson } from "../internal/index.ts";
import { endedLines } from "./ended-lines.ts";
import { checkLines, hasChecksums } from "./line-checksum.ts";
import type { LinesAdvice } from "./lines-advice.ts";
import { defaultAdvice } from "./lines-advice.ts";

export interface WholeLines {
  readonly values: readonly unknown[];
  /** Where they end in the file; anything after that was not fully written. */
  readonly bytes: number;
  /** Where each of them begins. */
  readonly lineStarts: readonly number[];
}

/**
 * Reads lines of JSON objects. Leaves out an unterminated line: a kill tore it, or it is being
 * written. The file may be larger than the longest string.
 *
 * @param options.isChecked whether each line has a checksum. A broken last line is then rejected
 * like any other, since it holds paid work; without checksums, as in older runs, it is left out,
 * and its decision is made again.
 * @throws EspalierError `file-malformed` for a broken line, since what follows it cannot be
 * trusted; and what the file system throws
 */
export function wholeLines(
  path: string,
  {
    isChecked = false,
    advice = defaultAdvice,
  }: { readonly isChecked?: boolean; readonly advice?: LinesAdvice } = {},
): WholeLines {
  const values: unknown[] = [];
  let bytes = 0;
  const lineStarts: number[] = [];
  let broken: Buffer | undefined;
  for (const line of endedLines(path)) {
    if (broken !== undefined) {
      throw brokenLine(
        `${path}:${values.length + 1}`,
        broken,
        `Restore the file from a backup, or ${advice.startOver}.`,
      );
    }
    const value = parse(line);
    if (value === undefined) broken = line;
    else {
      values.push(value);
      lineStarts.push(bytes);
      bytes += line.length + 1;
    }
  }
  if (isChecked) checkLines(path, values, advice);
  if (isChecked && broken !== undefined && (values.length === 0 || hasChecksums(values))) {
    throw brokenLine(
      `${path}:${values.length + 1}`,
      broken,
      "The file is left unchanged: restore it from a backup, or remove this last line and redo the work it recorded.",
    );
  }
  return { values, bytes, lineStarts };
}

function parse(line: Buffer): unknown {
  try {
    const value: unknown = parseJson(line.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function brokenLine(where: string, line: Buffer, fix: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the file is broken",
    where,
    expected: "a JSON object",
    got: line.subarray(0, 80).toString("utf8"),
    fix,
  });
}
