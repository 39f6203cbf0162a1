import type { JsonObject } from "../contract/index.ts";
import { sha256 } from "../internal/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { MlflowRun } from "./mlflow-runs.ts";
import { endRun, experimentId, inBatches, logRun, required, runByTag } from "./mlflow-runs.ts";
import type { MlflowServer } from "./mlflow-server.ts";
import type { NamedTrace } from "./otlp-traces.ts";
import { otlpRequest } from "./otlp-traces.ts";
import { sendPrompt } from "./send-prompt.ts";
import { metricName } from "./server-limits.ts";
import type { TrackedArtifact, TrackedCandidate, TrackedRun } from "./tracked-run.ts";

/** Traces of one request, and requests at a time. */
const together = { traces: 50, requests: 8 } as const;

/** What a run became on the server. */
export interface SentRun {
  readonly experimentId: string;
  readonly runId: string;
  /** Run ids by candidate. */
  readonly candidates: Readonly<Record<string, string>>;
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
  server: MlflowServer,
  experiment: string,
  tracked: TrackedRun,
): Promise<SentRun> {
  const id = await experimentId(server, experiment);
  const { key, name, startedAtMs, endedAtMs, tags, params, metrics } = tracked;
  const run = await runByTag(server, {
    experiment: id,
    tag: ["espalier.key", key],
    name,
    startedAtMs,
    tags,
  });
  await logRun(server, run, { params, metrics, tags });
  if (tracked.dataset !== undefined) await sendDataset(server, run, tracked.dataset);
  const candidates: Record<string, string> = {};
  let traces = 0;
  for (const candidate of tracked.candidates) {
    const place = { experiment: id, parent: run, tracked, candidate };
    candidates[candidate.id] = await sendCandidate(server, place);
    traces += candidate.examples.length;
  }
  for (const prompt of tracked.prompts) {
    await sendPrompt(server, prompt, run.id);
  }
  for (const artifact of tracked.artifacts) {
    await sendArtifact(server, run, artifact);
  }
  await endRun(server, run, endedAtMs);
  return { experimentId: id, runId: run.id, candidates, traces, wasKnown: !run.isNew };
}

async function sendDataset(
  server: MlflowServer,
  run: MlflowRun,
  { name, checksum }: { readonly name: string; readonly checksum: string },
): Promise<void> {
  // The server takes 36 characters.
  const dataset = { name, digest: checksum.slice(0, 36), source_type: "local", source: "{}" };
  const body = { run_id: run.id, datasets: [{ dataset }] };
  await required(server, "/api/2.0/mlflow/runs/log-inputs", body);
}

async function sendCandidate(
  server: MlflowServer,
  {
    experiment,
    parent,
    tracked,
    candidate,
  }: {
    readonly experiment: string;
    readonly parent: MlflowRun;
    readonly tracked: TrackedRun;
    readonly candidate: TrackedCandidate;
  },
): Promise<string> {
  const key = `${tracked.key}/${candidate.id}`;
  const run = await runByTag(server, {
    experiment,
    tag: ["espalier.key", key],
    name: candidate.name,
    startedAtMs: parent.startedAtMs,
    tags: {
      ...candidate.tags,
      "mlflow.parentRunId": parent.id,
      "mlflow.runType": "genai_evaluate",
    },
  });
  await logRun(server, run, candidate);
  const traces = candidate.examples.map((example) => ({
    traceId: sha256(`${run.id}/${example.id}`).slice(0, 32),
    name: tracked.name,
    example,
  }));
  for (const part of inBatches(traces, together.traces)) {
    await server.ask({
      method: "POST",
      path: "/v1/traces",
      headers: { "x-mlflow-experiment-id": experiment, "x-mlflow-run-id": run.id },
      body: otlpRequest(part),
    });
  }
  for (const part of inBatches(traces, together.requests)) {
    await Promise.all(part.map((trace) => sendAssessments(server, { experiment, run, trace })));
  }
  await endRun(server, run, tracked.endedAtMs);
  return run.id;
}

/** With ids of their own: the same assessments again take the place of the former. */
async function sendAssessments(
  server: MlflowServer,
  {
    experiment,
    run,
    trace: { traceId, name, example },
  }: { readonly experiment: string; readonly run: MlflowRun; readonly trace: NamedTrace },
): Promise<void> {
  const { startedAtMs, latencyMs, failed, scores, feedback } = example;
  const time = new Date(startedAtMs).toISOString();
  const assessments = Object.entries(scores).map(([metric, value]): JsonObject => ({
    assessment_id: `a-${sha256(`${traceId}/${metric}`).slice(0, 32)}`,
    assessment_name: metricName(metric),
    trace_id: `tr-${traceId}`,
    source: { source_type: "CODE", source_id: metricName(metric) },
    create_time: time,
    last_update_time: time,
    feedback: { value },
    valid: true,
    ...(feedback !== undefined && { rationale: feedback }),
  }));
  await required(server, "/api/3.0/mlflow/traces", {
    trace: {
      trace_info: {
        trace_id: `tr-${traceId}`,
        trace_location: {
          type: "MLFLOW_EXPERIMENT",
          mlflow_experiment: { experiment_id: experiment },
        },
        request_time: time,
        execution_duration: `${(latencyMs / 1_000).toFixed(6)}s`,
        state: failed ? "ERROR" : "OK",
        request_preview: JSON.stringify(example.inputs).slice(0, 1_000),
        trace_metadata: { "mlflow.sourceRun": run.id },
        tags: { "mlflow.traceName": name, "espalier.example": example.id },
        assessments,
      },
    },
  });
}

async function sendArtifact(
  server: MlflowServer,
  { artifactUri }: MlflowRun,
  { path, type, content }: TrackedArtifact,
): Promise<void> {
  const [scheme, root] = artifactUri.split(":/", 2);
  if (scheme !== "mlflow-artifacts" || root === undefined) {
    throw new EspalierError({
      code: "tracking-refused",
      problem: "The server does not pass on artifacts",
      expected: "artifacts under `mlflow-artifacts:/`",
      got: `\`${artifactUri}\``,
      fix: "Start it with --artifacts-destination, or leave contents out.",
    });
  }
  const folder = root.replace(/^\/+/, "");
  await server.ask({
    method: "PUT",
    path: `/api/2.0/mlflow-artifacts/artifacts/${folder}/${encodeURIComponent(path)}`,
    file: { content, type },
  });
}
