import { existsSync } from "node:fs";
import { readArtifact } from "../../artifact/files.ts";
import { runFolderFiles } from "../../optimizer/files.ts";
import type { SourceGiven } from "../../report/index.ts";
import { readRunHistory } from "../../report/index.ts";

/**
 * Reads a run's folder with its artifact, if it has one.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readRunFolder(
  path: string,
): Promise<Extract<SourceGiven, { readonly kind: "run" }>> {
  const history = readRunHistory(path);
  const { artifact } = runFolderFiles(path);
  if (!existsSync(artifact)) return { kind: "run", path, history };
  return { kind: "run", path, history, artifact: await readArtifact(artifact) };
}
