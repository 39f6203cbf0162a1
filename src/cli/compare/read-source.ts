import { statSync } from "node:fs";
import { aliasesAt, readArtifact } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";
import type { SourceGiven } from "../../report/index.ts";
import { readRunHistory } from "../../report/index.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";
import { fileFormat } from "../load/file-format.ts";

/**
 * Reads a run's folder, a result or an artifact.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readSource(path: string): Promise<SourceGiven> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw missing(path);
  if (found.isDirectory()) return { kind: "run", path, history: readRunHistory(path) };
  if ((await fileFormat(path)) === "artifact") {
    const [artifact, aliases] = await Promise.all([readArtifact(path), aliasesAt(path)]);
    return { kind: "artifact", path, artifact, aliases };
  }
  return { kind: "result", path, result: await readEvaluation(path) };
}

function missing(path: string): EspalierError {
  return new EspalierError({
    code: "file-missing",
    problem: "There is nothing to compare at this path",
    where: path,
    expected: "a run's folder, a file written by `espalier eval --out`, or an artifact",
    got: "no such file or folder",
  });
}
