import { oneLine, withoutCredentials } from "../../internal/index.ts";
import type { Delivery } from "../../serve/index.ts";
import { printToStderr } from "../terminal/terminal.ts";
import type { OpenedTracker } from "./open-trackers.ts";
import { randomUUID } from "node:crypto";
import type { Evaluation, EvaluationEvent } from "../../evaluate/index.ts";
import type { Study } from "../../study/index.ts";
import type { EvaluationListener, SearchListener } from "../packages/tracking-package.ts";
import type { TrackingGiven } from "../arguments/shared-arguments.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { openTrackers, trackingPatienceMs } from "./open-trackers.ts";
import type { OptimizeOptions } from "../../optimizer/index.ts";
import { messageOf } from "../../errors/index.ts";

/** Listeners of one piece of work, one for each tracker. */
interface TrackedWork<TListener> extends AsyncDisposable {
  /** Calls each of them; their faults are none of the work's. */
  each(call: (listener: TListener) => void): void;
}

/**
 * Once disposed of, it has sent what it could in a few seconds, and says in a line what it could
 * not.
 *
 * @param remedy the command that sends the rest to MLflow; `null` if there is none
 */
function trackedWork<TListener extends { end(patienceMs: number): Promise<Delivery> }>(
  opened: readonly OpenedTracker[],
  {
    listenerOf,
    patienceMs,
    remedy,
  }: {
    readonly patienceMs: number;
    readonly listenerOf: (opened: OpenedTracker) => TListener;
    readonly remedy: () => string | null;
  },
): TrackedWork<TListener> {
  const listeners = opened.map((each) => ({ ...each, listener: listenerOf(each) }));
  return {
    each: (call) => {
      for (const { listener } of listeners) {
        try {
          call(listener);
        } catch {
          // What it lost, it counts.
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        listeners.map(async ({ name, isMlflow, listener }) => {
          const { isComplete, problem = "it is slow" } = await listener.end(patienceMs);
          if (isComplete) return;
          const how = isMlflow ? remedy() : null;
          const next = how === null ? "the rest is lost" : `to send the rest: ${how}`;
          const why = withoutCredentials(oneLine(problem)).slice(0, 300);
          printToStderr(`${name} has not received everything (${why}); ${next}`);
        }),
      );
    },
  };
}

/** The LM that each predictor asks, of what a command reports. */
export function lmsOf<TLm extends { readonly provider: string; readonly model: string }>({
  lm,
  lms = {},
}: {
  readonly lm: TLm;
  readonly lms?: Readonly<Record<string, TLm>>;
}): (name: string) => TLm {
  return (name) => (Object.hasOwn(lms, name) ? lms[name] : undefined) ?? lm;
}

interface TrackedEvaluation extends AsyncDisposable {
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
  const { lm, lms, mocks } = opened.report();
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
    mocks,
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

export interface TrackedSearch extends AsyncDisposable {
  /** For `optimize()`; empty where nothing is tracked. */
  readonly listeners: Pick<OptimizeOptions, "onEvent" | "onRun">;
  /** The run has ended, and its artifact is written. */
  finish(): Promise<void>;
}

/** Shows a search where the command line says. */
export async function trackedSearch(
  given: TrackingGiven,
  { runFolder, secrets }: { readonly runFolder: string; readonly secrets: readonly string[] },
): Promise<TrackedSearch> {
  const trackers = await openTrackers(given, { variables: process.env, secrets });
  const hasContents = given["trace-contents"];
  const patienceMs = trackingPatienceMs(given);
  const work = trackedWork<SearchListener>(trackers, {
    patienceMs,
    listenerOf: ({ tracker }) => tracker.search({ runFolder }),
    remedy: () =>
      `espalier mlflow ${runFolder} --url ${given.mlflow} --experiment ${given["mlflow-experiment"]}${hasContents ? " --contents" : ""}`,
  });
  return {
    listeners:
      trackers.length === 0
        ? {}
        : {
            onEvent: (event) => work.each(({ onEvent }) => onEvent(event)),
            onRun: (run) => work.each(({ onRun }) => onRun(run)),
          },
    finish: async () => {
      if (trackers.length === 0) return;
      const artifacts =
        hasContents && given.mlflow !== undefined ? await artifactsOf(runFolder) : [];
      work.each((listener) => listener.finish(artifacts));
    },
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

async function artifactsOf(
  runFolder: string,
): Promise<NonNullable<Parameters<SearchListener["finish"]>[0]>> {
  try {
    const { runArtifacts } = await import("./run-artifacts.ts");
    return await runArtifacts(runFolder);
  } catch (error) {
    printToStderr(`The run's page was not sent: ${messageOf(error)}`);
    return [];
  }
}
