import { EspalierError } from "../../errors/index.ts";
import { endedLines, parseJson } from "../../internal/index.ts";

export interface WholeLines {
  readonly values: readonly unknown[];
  /** Where they end in the file; what comes after was not written to its end. */
  readonly bytes: number;
}

/**
 * Reads lines of JSON objects, of which a kill may have torn the last. The file may be larger than the
 * longest string.
 *
 * @throws EspalierError `file-malformed` for a broken line elsewhere, since what follows it cannot be
 * trusted; and what the file system throws
 */
export function wholeLines(path: string): WholeLines {
  const values: unknown[] = [];
  let bytes = 0;
  let broken: Buffer | undefined;
  for (const line of endedLines(path)) {
    if (broken !== undefined) throw brokenLine(`${path}:${values.length + 1}`, broken);
    const value = parse(line);
    if (value === undefined) broken = line;
    else {
      values.push(value);
      bytes += line.length + 1;
    }
  }
  return { values, bytes };
}

function parse(line: Buffer): unknown {
  try {
    const value: unknown = parseJson(line.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function brokenLine(where: string, line: Buffer): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the run's files is broken",
    where,
    expected: "a JSON object",
    got: line.subarray(0, 80).toString("utf8"),
    fix: "Restore the file, or begin a new run.",
  });
}
