import { statSync } from "node:fs";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { EspalierError } from "../../errors/index.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";
import { print } from "../terminal/terminal.ts";
import { openMlflow } from "../load/open-mlflow.ts";
import type { MlflowGiven } from "./mlflow-arguments.ts";
import { contentHash } from "../../internal/index.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";
import type { TrackedRun } from "../packages/tracking-package.ts";
import { trackingPackage } from "../packages/tracking-package.ts";
import { lmsOf } from "../tracking/tracked-work.ts";
import { runArtifacts } from "../tracking/run-artifacts.ts";

/** Sends a run or a result, and prints where it is. */
export async function sendToMlflow(given: MlflowGiven): Promise<void> {
  using interrupt = abortOnInterrupt();
  const opened = await openMlflow(given.url, { option: "--url", signal: interrupt.signal });
  const { server, tracking } = opened;
  if (/\.[cm]?[jt]s$/.test(given.subject)) return sendExamples(given, opened);
  using subject = await trackedSubject(given.subject, { hasContents: given.contents });
  const { tracked } = subject;
  const sent = await tracking.sendRun(server, given.experiment, tracked);
  if (given.json) {
    print(JSON.stringify({ url: server.url, experiment: given.experiment, ...sent }));
    return;
  }
  const { experimentId, runId, candidates, traces } = sent;
  const evaluated = Object.keys(candidates).length;
  print(
    `${sent.wasKnown ? "Completed" : "Sent"}: ${tracked.name}, ${evaluated} candidates, ${traces} traces sent`,
  );
  print(`${server.url.replace(/\/$/, "")}/#/experiments/${experimentId}/runs/${runId}`);
}

/** Sends a study's examples: they are texts of the data, so it must be asked for. */
async function sendExamples(
  given: MlflowGiven,
  { server, tracking }: Awaited<ReturnType<typeof openMlflow>>,
): Promise<void> {
  if (!given.contents) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "A study's examples are text from the data",
      expected: "--contents, to send them",
    });
  }
  const { chooseStudy } = await import("../load/choose-study.ts");
  const { trainset } = await chooseStudy(given.subject, { parts: await unaskedParts() });
  const dataset = await tracking.sendTrainset(server, given.experiment, trainset);
  const { train, val, test } = trainset.splits;
  const examples = train.length + val.length + test.length;
  if (given.json)
    print(JSON.stringify({ url: server.url, dataset, name: trainset.name, examples }));
  else print(`Sent: dataset ${trainset.name}, ${examples} examples`);
}

interface Options {
  readonly hasContents: boolean;
}

/**
 * What a tracking server shows of a run's folder, or of a file that `eval --out` wrote.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `run-locked` while another process sends
 *   the run
 */
async function trackedSubject(
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
  const { evaluation, study, split, trainset, lm, mocks } = file;
  return evaluationRun(evaluation, {
    key: file.tracking?.key ?? contentHash([study, split, evaluation]).slice(0, 32),
    study,
    split,
    ...(trainset && { trainset }),
    model: lm.model,
    mocks,
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
