import { EspalierError } from "../../errors/index.ts";
import { parseJson } from "../../internal/index.ts";

export interface WholeLines {
  readonly values: readonly unknown[];
  /** Where they end in the content; what comes after was not written to its end. */
  readonly bytes: number;
}

/**
 * Reads lines of JSON objects, of which a kill may have torn the last.
 *
 * @throws EspalierError `file-malformed` for a broken line elsewhere, since what follows it cannot be
 * trusted
 */
export function wholeLines(path: string, content: Buffer): WholeLines {
  const wholeLength = content.lastIndexOf(0x0a) + 1;
  const lines = content.subarray(0, wholeLength).toString("utf8").split("\n").slice(0, -1);
  const values = lines.map(parse);
  const broken = values.indexOf(undefined);
  if (broken < 0) return { values, bytes: wholeLength };
  const line = lines[broken] ?? "";
  if (broken < lines.length - 1) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "A line of the run's files is broken",
      where: `${path}:${broken + 1}`,
      expected: "a JSON object",
      got: line.slice(0, 80),
      fix: "Restore the file, or begin a new run.",
    });
  }
  return { values: values.slice(0, -1), bytes: wholeLength - Buffer.byteLength(`${line}\n`) };
}

function parse(line: string): unknown {
  try {
    const value: unknown = parseJson(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
