import { existsSync } from "node:fs";
import { runFolderFiles } from "../../optimizer/files.ts";

/** The artifact of a run, where the run's folder is named; any other path as it is. */
export function artifactOf(path: string): string {
  const { artifact } = runFolderFiles(path);
  return existsSync(artifact) ? artifact : path;
}
