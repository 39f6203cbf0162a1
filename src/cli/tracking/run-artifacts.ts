import { existsSync, readFileSync } from "node:fs";
import { runFolderFiles } from "../../optimizer/files.ts";
import { compareRuns, readRunHistory } from "../../report/index.ts";
import { reportPage } from "../../report-page/index.ts";
import type { TrackedArtifact } from "../packages/tracking-package.ts";

/**
 * The page and the artifact of a run, as files for a tracking server. Both hold texts of the data.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function runArtifacts(folder: string): Promise<readonly TrackedArtifact[]> {
  const history = readRunHistory(folder);
  const page = reportPage(compareRuns([{ kind: "run", path: folder, history }]));
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
