import type { OptimizeOptions } from "../../optimizer/index.ts";
import type { SearchListener } from "../packages/tracking-package.ts";
import { messageOf } from "../../errors/index.ts";
import type { TrackingGiven } from "../arguments/shared-arguments.ts";
import { printToStderr } from "../terminal/terminal.ts";
import { openTrackers, trackingPatienceMs } from "./open-trackers.ts";
import { trackedWork } from "./tracked-work.ts";

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
    printToStderr(`The run's page is not sent: ${messageOf(error)}`);
    return [];
  }
}
