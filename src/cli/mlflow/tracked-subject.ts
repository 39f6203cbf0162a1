import { statSync } from "node:fs";
import { contentHash } from "../../internal/index.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";
import type { TrackedRun } from "../packages/tracking-package.ts";
import { trackingPackage } from "../packages/tracking-package.ts";
import { lmsOf } from "../tracking/lms-of.ts";
import { runArtifacts } from "../tracking/run-artifacts.ts";

interface Options {
  readonly hasContents: boolean;
}

/**
 * What a tracking server shows of a run's folder, or of a file that `eval --out` wrote.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `run-locked` while another process sends
 *   the run
 */
export async function trackedSubject(
  path: string,
  options: Options,
): Promise<Disposable & { readonly tracked: TrackedRun }> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return trackedFolder(path, options);
  const tracked = await trackedResult(path, stat?.mtimeMs ?? 0, options);
  return { tracked, [Symbol.dispose]: () => {} };
}

async function trackedResult(
  path: string,
  writtenAtMs: number,
  { hasContents }: Options,
): Promise<TrackedRun> {
  const { evaluationRun } = await trackingPackage();
  const file = await readEvaluation(path);
  const { evaluation, study, split, trainset, lm, standIns } = file;
  return evaluationRun(evaluation, {
    key: file.tracking?.key ?? contentHash([study, split, evaluation]).slice(0, 32),
    study,
    split,
    ...(trainset && { trainset }),
    model: lm.model,
    standIns,
    lmOf: lmsOf(file),
    hasContents,
    writtenAtMs,
  });
}

async function trackedFolder(
  folder: string,
  { hasContents }: Options,
): Promise<Disposable & { readonly tracked: TrackedRun }> {
  const { recordedSearch, trackingLock } = await trackingPackage();
  const artifacts = hasContents ? await runArtifacts(folder) : [];
  using stack = new DisposableStack();
  const subject = stack.use(await recordedSearch(folder, { hasContents, artifacts }));
  stack.use(trackingLock(folder));
  const held = stack.move();
  return { tracked: subject.tracked, [Symbol.dispose]: () => held.dispose() };
}
