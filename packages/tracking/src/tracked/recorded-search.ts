import { statSync } from "node:fs";
import { readRun, runFolderFiles } from "../../../../src/optimizer/files.ts";
import { candidateHashes } from "./candidate-hash.ts";
import { keptTraces } from "./kept-traces.ts";
import { metricHistory } from "./metric-history.ts";
import { runKey } from "./run-key.ts";
import { searchRun } from "./search-run.ts";
import type { TrackedArtifact, TrackedRun } from "./tracked-run.ts";

export interface RecordedSearchOptions {
  /** Whether inputs, outputs, messages and feedback are included, where they were kept. */
  readonly hasContents: boolean;
  readonly artifacts: readonly TrackedArtifact[];
}

/**
 * A run's folder as a tracked run, the same as while the run went on. Its traces are read as they
 * are asked for, until it is disposed of.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function recordedSearch(
  folder: string,
  { hasContents, artifacts }: RecordedSearchOptions,
): Promise<Disposable & { readonly tracked: TrackedRun }> {
  const { journal, command, traces: path } = runFolderFiles(folder);
  const history = metricHistory();
  const recorded = readRun(folder, (event) => history.take(event));
  const { birthtimeMs, mtimeMs } = statSync(journal);
  // A journal is replaced where its run is restarted or goes on after a stop.
  const begun = statSync(command, { throwIfNoEntry: false })?.birthtimeMs ?? birthtimeMs;
  const traces = keptTraces({ path, isReadOnly: true });
  const tracked = searchRun(recorded, {
    key: await runKey(folder),
    startedAtMs: Math.min(begun, birthtimeMs, mtimeMs),
    changedAtMs: mtimeMs,
    history: history.points,
    hashOf: candidateHashes(),
    traces,
    hasContents,
    artifacts,
  });
  return { tracked, [Symbol.dispose]: () => traces[Symbol.dispose]() };
}
