import type { JsonObject } from "../../../../src/contract/index.ts";
import { sha256 } from "../../../../src/internal/index.ts";
import type { NamedTrace } from "../otlp/otlp-traces.ts";
import { otlpRequest } from "../otlp/otlp-traces.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import type { TrackedExample } from "../tracked/tracked-run.ts";
import type { MlflowRun } from "./mlflow-runs.ts";
import { required } from "./mlflow-runs.ts";
import { metricName } from "./server-limits.ts";

/** Traces of one request, and requests at a time. */
const together = { traces: 50, requests: 8 } as const;

export interface TracesPlace {
  /** Id of the experiment. */
  readonly experiment: string;
  /** The evaluation run, by whose id traces have theirs. */
  readonly run: Pick<MlflowRun, "id">;
  readonly name: string;
  /** Of examples that do not know when they began. */
  readonly startedAtMs: number;
  readonly examples: Iterable<TrackedExample>;
}

/** Sends traces with the scores of each, some at a time: no more of them are held. */
export async function sendTraces(
  server: TrackingServer,
  { experiment, run, name, startedAtMs, examples }: TracesPlace,
): Promise<{ readonly count: number; readonly endedAtMs: number }> {
  let count = 0;
  let endedAtMs = 0;
  for (const part of inParts(examples, together.traces)) {
    const traces = part.map((example) => ({
      traceId: sha256(`${run.id}/${example.id}`).slice(0, 32),
      name,
      example: { ...example, startedAtMs: example.startedAtMs ?? startedAtMs },
    }));
    await server.ask({
      method: "POST",
      path: "/v1/traces",
      headers: { "x-mlflow-experiment-id": experiment, "x-mlflow-run-id": run.id },
      body: otlpRequest(traces, "mlflow"),
    });
    for (const group of inParts(traces, together.requests)) {
      await Promise.all(group.map((trace) => sendScores(server, { experiment, run, trace })));
    }
    count += traces.length;
    for (const { example } of traces) {
      endedAtMs = Math.max(endedAtMs, example.startedAtMs + example.latencyMs);
    }
  }
  return { count, endedAtMs };
}

function* inParts<TItem>(items: Iterable<TItem>, size: number): Generator<TItem[]> {
  let part: TItem[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** With ids of their own: the same assessments again take the place of the former. */
async function sendScores(
  server: TrackingServer,
  {
    experiment,
    run,
    trace: { traceId, name, example },
  }: {
    readonly experiment: string;
    readonly run: Pick<MlflowRun, "id">;
    readonly trace: NamedTrace;
  },
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
