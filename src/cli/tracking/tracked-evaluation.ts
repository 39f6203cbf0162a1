import { randomUUID } from "node:crypto";
import type { Evaluation, EvaluationEvent } from "../../evaluate/index.ts";
import type { Study } from "../../study/index.ts";
import type { EvaluationListener } from "../packages/tracking-package.ts";
import type { TrackingGiven } from "../arguments/shared-arguments.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { openTrackers, trackingPatienceMs } from "./open-trackers.ts";
import { lmsOf, trackedWork } from "./tracked-work.ts";

export interface TrackedEvaluation extends AsyncDisposable {
  readonly onEvent: (event: EvaluationEvent) => void;
  finish(evaluation: Evaluation): void;
  /** For the file of the result, so that sending it later completes what is there. */
  readonly named: { readonly tracking?: { readonly key: string } };
}

/** Shows an evaluation where the command line says; if it is stopped, as failed. */
export async function trackedEvaluation(
  given: TrackingGiven & { readonly split: string; readonly out?: string | undefined },
  {
    study,
    opened,
    seed,
  }: { readonly study: Study; readonly opened: OpenedLms; readonly seed: number },
): Promise<TrackedEvaluation> {
  const { secrets } = opened;
  const trackers = await openTrackers(given, { variables: process.env, secrets });
  const patienceMs = trackingPatienceMs(given);
  const key = randomUUID();
  const { lm, lms, standIns } = opened.report();
  const { name, checksum } = study.trainset;
  const { program, objective: metric } = study;
  const about = {
    key,
    study: study.name,
    split: given.split,
    trainset: { name, checksum },
    program: { name: program.name, version: program.version },
    metric: { name: metric.name, version: metric.version },
    seed,
    model: lm.model,
    standIns,
    lmOf: lmsOf({ lm, ...(lms && { lms }) }),
  };
  let isFinished = false;
  const work = trackedWork<EvaluationListener>(trackers, {
    patienceMs,
    listenerOf: ({ tracker }) => tracker.evaluation(about),
    remedy: () =>
      given.out === undefined || !isFinished
        ? null
        : `espalier mlflow ${given.out} --url ${given.mlflow} --experiment ${given["mlflow-experiment"]}`,
  });
  return {
    onEvent: (event) => work.each(({ onEvent }) => onEvent(event)),
    finish: (evaluation) => {
      isFinished = true;
      work.each((listener) => listener.finish(evaluation));
    },
    named: trackers.length === 0 ? {} : { tracking: { key } },
    [Symbol.asyncDispose]: async () => {
      if (!isFinished) work.each((listener) => listener.finish(null));
      await work[Symbol.asyncDispose]();
    },
  };
}
