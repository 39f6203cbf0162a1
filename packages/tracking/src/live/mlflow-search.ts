import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { failureOf } from "../../../../src/errors/index.ts";
import { epochMs } from "../../../../src/internal/index.ts";
import type { OptimizerEvent } from "../../../../src/optimizer/index.ts";
import { runDecisions, runFolderFiles } from "../../../../src/optimizer/files.ts";
import { logRun } from "../mlflow/mlflow-runs.ts";
import { sendCandidate } from "../mlflow/send-candidate.ts";
import type { OpenRun } from "../mlflow/send-run.ts";
import { closeRun, openRun } from "../mlflow/send-run.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { candidateHashes } from "../tracked/candidate-hash.ts";
import { exampleTrace } from "../tracked/example-trace.ts";
import type { KeptTraces } from "../tracked/kept-traces.ts";
import { keptTraces } from "../tracked/kept-traces.ts";
import { metricHistory } from "../tracked/metric-history.ts";
import { runKey, trackingLock } from "../tracked/run-key.ts";
import { searchCandidate } from "../tracked/search-candidate.ts";
import { candidateContext, endTags, lmsIn, promptsOf, searchHead } from "../tracked/search-run.ts";
import type { LmOf } from "../tracked/trace-spans.ts";
import type { TrackedArtifact } from "../tracked/tracked-run.ts";
import { courier } from "./courier.ts";
import type { SearchListener } from "./listener.ts";

export interface MlflowSearchOptions {
  /** Name of the experiment. */
  readonly experiment: string;
  readonly hasContents: boolean;
  readonly runFolder: string | undefined;
}

/**
 * Shows a search in MLflow as it goes. There is no queue of things to send: it notes which
 * candidates changed, and sends what is known of them by then, so it never holds more than the
 * search itself does. Their traces wait in the run's folder.
 */
export function mlflowSearch(
  server: TrackingServer,
  { experiment, hasContents, runFolder }: MlflowSearchOptions,
): SearchListener {
  const decisions = runDecisions();
  const history = metricHistory();
  const hashOf = candidateHashes();
  const changed = new Set<number>();
  let started: Started | undefined;
  let open: OpenRun | undefined;
  let sentPoints = 0;
  let ending: readonly TrackedArtifact[] | undefined;
  let problem: string | undefined;

  const start = ({ run }: Extract<OptimizerEvent, { kind: "run-start" }>): void => {
    try {
      const lock = runFolder === undefined ? undefined : trackingLock(runFolder);
      const path = runFolder === undefined ? undefined : runFolderFiles(runFolder).traces;
      const traces = keptTraces({ path });
      started = { run, startedAtMs: epochMs(), lmOf: lmsIn(run), traces, lock };
    } catch (error) {
      problem = failureOf(error).message;
    }
  };
  const sender = courier({
    next: async (signal) => {
      if (started === undefined) return false;
      const asked: TrackingServer = {
        url: server.url,
        ask: (request) => server.ask({ ...request, signal }),
      };
      const { run, startedAtMs, traces } = started;
      const key = (started.key ??= await keyOf(runFolder));
      const head = searchHead(run, { key, startedAtMs });
      open ??= await openRun(asked, experiment, head);
      const points = history.points.slice(sentPoints, sentPoints + pointsTogether);
      if (points.length > 0) {
        await logRun(asked, open.run, { params: {}, metrics: points, tags: {} });
        sentPoints += points.length;
        return true;
      }
      for (const id of changed) {
        const record = decisions.candidate(id);
        changed.delete(id);
        if (record === undefined) continue;
        traces.flush();
        const context = { ...candidateContext(run, key), hasContents, hashOf, traces };
        const candidate = searchCandidate(record, context);
        try {
          await sendCandidate(asked, { ...open, name: head.name, candidate });
        } catch (error) {
          changed.add(id);
          throw error;
        }
        return true;
      }
      const artifacts = ending;
      const decided = artifacts && decisions.soFar();
      if (!artifacts || !decided) return false;
      await closeRun(asked, open.run, {
        prompts: promptsOf(decided),
        artifacts,
        tags: endTags(decided),
        endedAtMs: decided.end === undefined ? null : endedAt(runFolder),
      });
      ending = undefined;
      return false;
    },
  });
  return {
    onEvent: (event) => {
      if (event.kind === "progress") return;
      decisions.take(event);
      history.take(event);
      if (event.kind === "run-start") start(event);
      if (event.kind === "candidate-accepted" || event.kind === "candidate-confirmed") {
        changed.add(event.candidate);
      }
      if (waking.has(event.kind)) sender.wake();
    },
    onRun: ({ candidate, split, exampleId, score, trace, isOwn }) => {
      if (started === undefined || split !== "val" || !isOwn) return;
      const { traces, lmOf } = started;
      traces.add(hashOf(candidate), exampleId, () =>
        exampleTrace(trace, {
          hasContents,
          lmOf,
          failed: trace.failure !== undefined,
          ...(score.kind === "scored" && { feedback: score.feedback }),
        }),
      );
    },
    finish: (artifacts = []) => {
      ending = artifacts;
      sender.wake();
    },
    end: async (patienceMs = 5_000) => {
      const delivery = await sender.end(patienceMs);
      started?.traces[Symbol.dispose]();
      started?.lock?.[Symbol.dispose]();
      started = undefined;
      return problem === undefined ? delivery : { isComplete: false, problem };
    },
  };
}

interface Started {
  readonly run: Extract<OptimizerEvent, { kind: "run-start" }>["run"];
  readonly startedAtMs: number;
  readonly lmOf: LmOf;
  readonly traces: KeptTraces;
  readonly lock: Disposable | undefined;
  key?: string;
}

/** Points of one piece, so that candidates need not wait for all of them. */
const pointsTogether = 1_000;

/** After which events there is something to send. */
const waking: ReadonlySet<OptimizerEvent["kind"]> = new Set([
  "run-start",
  "candidate-accepted",
  "candidate-confirmed",
  "iteration-end",
  "run-end",
]);

async function keyOf(runFolder: string | undefined): Promise<string> {
  return runFolder === undefined ? randomUUID() : runKey(runFolder);
}

/** The same as from the run's folder later. */
function endedAt(runFolder: string | undefined): number {
  if (runFolder === undefined) return epochMs();
  return statSync(runFolderFiles(runFolder).journal).mtimeMs;
}
