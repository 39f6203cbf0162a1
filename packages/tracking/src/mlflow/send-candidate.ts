import type { TrackingServer } from "../server/tracking-server.ts";
import type { TrackedCandidate } from "../tracked/tracked-run.ts";
import type { MlflowRun } from "./mlflow-runs.ts";
import { endRun, logRun, runByTag } from "./mlflow-runs.ts";
import { sendTraces } from "./send-traces.ts";

export interface CandidatePlace {
  /** Id of the experiment. */
  readonly experiment: string;
  /** The search or the evaluation. */
  readonly run: MlflowRun;
  /** Of its traces. */
  readonly name: string;
  readonly candidate: TrackedCandidate;
}

/** What the server has once all of a candidate was sent. */
const sentTag = "espalier.sent";

/** Sends an evaluation run with its traces, unless the server has them already. */
export async function sendCandidate(
  server: TrackingServer,
  place: CandidatePlace,
): Promise<{ readonly runId: string; readonly traces: number }> {
  const { experiment, run: parent, name, candidate } = place;
  const run = await openCandidate(server, place);
  if (run.tags[sentTag] === candidate.digest) return { runId: run.id, traces: 0 };
  await logRun(server, run, candidate);
  const { startedAtMs } = parent;
  const traces = await sendTraces(server, {
    experiment,
    run,
    name,
    startedAtMs,
    examples: candidate.examples,
  });
  await closeCandidate(server, run, {
    candidate,
    endedAtMs: Math.max(startedAtMs, traces.endedAtMs),
  });
  return { runId: run.id, traces: traces.count };
}

export async function openCandidate(
  server: TrackingServer,
  { experiment, run: parent, candidate }: CandidatePlace,
): Promise<MlflowRun> {
  return runByTag(server, {
    experiment,
    tag: ["espalier.key", candidate.key],
    name: candidate.name,
    startedAtMs: parent.startedAtMs,
    tags: {
      ...candidate.tags,
      "mlflow.parentRunId": parent.id,
      "mlflow.runType": "genai_evaluate",
    },
  });
}

export async function closeCandidate(
  server: TrackingServer,
  run: MlflowRun,
  {
    candidate: { digest },
    endedAtMs,
    status,
  }: {
    readonly candidate: TrackedCandidate;
    readonly endedAtMs: number;
    readonly status?: "FINISHED" | "FAILED";
  },
): Promise<void> {
  await endRun(server, run, endedAtMs, status);
  await logRun(server, run, { params: {}, metrics: [], tags: { [sentTag]: digest } });
}
