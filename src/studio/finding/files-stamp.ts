import { runFolderFiles } from "../../optimizer/files.ts";
import { fileStamp } from "../../storage/index.ts";

/** Changes with what is read of a run's folder, a result or an artifact. */
export function filesStamp(path: string): string {
  const { journal, artifact } = runFolderFiles(path);
  return [path, journal, artifact].map((file) => fileStamp(file)?.id ?? "").join(" ");
}

export function isRun(path: string): boolean {
  return fileStamp(runFolderFiles(path).journal) !== null;
}
