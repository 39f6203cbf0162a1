import type { TrackingServer } from "../server/tracking-server.ts";
import type { TrackedHead, TrackedRun } from "../tracked/tracked-run.ts";
import type { MlflowRun } from "./mlflow-runs.ts";
import { endRun, experimentId, logRun, required, runByTag } from "./mlflow-runs.ts";
import { sendArtifact } from "./send-artifact.ts";
import { sendCandidate } from "./send-candidate.ts";
import { sendPrompt } from "./send-prompt.ts";

/** What a run became on the server. */
export interface SentRun {
  readonly experimentId: string;
  readonly runId: string;
  /** Run ids by candidate. */
  readonly candidates: Readonly<Record<string, string>>;
  /** Sent this time. */
  readonly traces: number;
  /** Whether the server had the run before. */
  readonly wasKnown: boolean;
}

/**
 * Sends a run, or what the server lacks of it: a run for the search, below it one evaluation run
 * for each candidate with one trace for each example, and an assessment for each score. Sending it
 * again changes nothing.
 *
 * @throws EspalierError `tracking-failed`, `tracking-refused`, `tracking-conflict`
 */
export async function sendRun(
  server: TrackingServer,
  experiment: string,
  tracked: TrackedRun,
): Promise<SentRun> {
  const open = await openRun(server, experiment, tracked);
  const { run } = open;
  await logRun(server, run, tracked);
  const candidates: Record<string, string> = {};
  let traces = 0;
  for (const candidate of tracked.candidates) {
    const sent = await sendCandidate(server, { ...open, name: tracked.name, candidate });
    candidates[candidate.id] = sent.runId;
    traces += sent.traces;
  }
  await closeRun(server, run, tracked);
  return { experimentId: open.experiment, runId: run.id, candidates, traces, wasKnown: !run.isNew };
}

/** A run that the server has, with all that is known of it at its start. */
export interface OpenRun {
  /** Id of the experiment. */
  readonly experiment: string;
  readonly run: MlflowRun;
}

export async function openRun(
  server: TrackingServer,
  experimentName: string,
  { key, name, startedAtMs, tags, params, dataset }: TrackedHead,
): Promise<OpenRun> {
  const experiment = await experimentId(server, experimentName);
  const run = await runByTag(server, {
    experiment,
    tag: ["espalier.key", key],
    name,
    startedAtMs,
    tags,
  });
  await logRun(server, run, { params, metrics: [], tags: {} });
  if (dataset !== undefined) await sendDataset(server, run, dataset);
  return { experiment, run };
}

/** Sends what a run has at its end, or has so far. */
export async function closeRun(
  server: TrackingServer,
  run: MlflowRun,
  {
    prompts,
    artifacts,
    tags,
    endedAtMs,
  }: Pick<TrackedRun, "prompts" | "artifacts" | "tags" | "endedAtMs">,
): Promise<void> {
  for (const prompt of prompts) await sendPrompt(server, prompt, run.id);
  for (const artifact of artifacts) await sendArtifact(server, run, artifact);
  await logRun(server, run, { params: {}, metrics: [], tags });
  await endRun(server, run, endedAtMs);
}

async function sendDataset(
  server: TrackingServer,
  run: MlflowRun,
  { name, checksum }: { readonly name: string; readonly checksum: string },
): Promise<void> {
  // The server takes 36 characters.
  const dataset = { name, digest: checksum.slice(0, 36), source_type: "local", source: "{}" };
  const body = { run_id: run.id, datasets: [{ dataset }] };
  await required(server, "/api/2.0/mlflow/runs/log-inputs", body);
}
