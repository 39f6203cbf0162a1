import { existsSync, readFileSync } from "node:fs";
import { runFolderFiles } from "../../optimizer/files.ts";
import { compareRuns } from "../../report/index.ts";
import { reportPage } from "../../report-page/index.ts";
import type { TrackedArtifact } from "../../tracking/index.ts";
import { readRunFolder } from "../load/read-run-folder.ts";

/**
 * The page and the artifact of a run, as files for a tracking server. Both hold texts of the data.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function runArtifacts(folder: string): Promise<readonly TrackedArtifact[]> {
  const page = reportPage(compareRuns([await readRunFolder(folder)]));
  const { artifact } = runFolderFiles(folder);
  return [
    { path: "run.html", type: "text/html", content: page },
    ...(existsSync(artifact)
      ? [
          {
            path: "artifact.json",
            type: "application/json",
            content: readFileSync(artifact, "utf8"),
          },
        ]
      : []),
  ];
}
