import type { JsonObject } from "../../../../src/contract/index.ts";
import { sha256 } from "../../../../src/internal/index.ts";
import type {
  AnswerListener,
  AnswerListenerOptions,
  TrackedRating,
} from "../../../../src/serve/index.ts";
import { experimentId } from "../mlflow/mlflow-runs.ts";
import { otlpRequest } from "../otlp/otlp-traces.ts";
import type { NamedTrace } from "../otlp/otlp-traces.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import { answerTrace, answerTraceId, isSampled } from "../tracked/answer-trace.ts";
import type { QueueLimits } from "./send-queue.ts";
import { sendQueue } from "./send-queue.ts";
import { shownRating } from "./shown-rating.ts";

export interface MlflowAnswersOptions extends AnswerListenerOptions {
  /** Name of the experiment. */
  readonly experiment: string;
  readonly hasContents: boolean;
  readonly queue?: QueueLimits | undefined;
}

type Item =
  | { readonly kind: "answer"; readonly trace: NamedTrace }
  | { readonly kind: "rating"; readonly id: string; readonly rating: TrackedRating };

/** Sends a server's answers as traces, and ratings of them as feedback. */
export function mlflowAnswers(
  server: TrackingServer,
  {
    experiment: name,
    hasContents,
    sample = 1,
    redacted = (text) => text,
    queue: limits,
  }: MlflowAnswersOptions,
): AnswerListener {
  let experiment: string | undefined;
  const queue = sendQueue<Item>(async (items, signal) => {
    const asked: TrackingServer = {
      url: server.url,
      ask: (request) => server.ask({ ...request, signal }),
    };
    experiment ??= await experimentId(asked, name);
    const traces = items.flatMap((item) => (item.kind === "answer" ? [item.trace] : []));
    if (traces.length > 0) {
      await asked.ask({
        method: "POST",
        path: "/v1/traces",
        headers: { "x-mlflow-experiment-id": experiment },
        body: otlpRequest(traces, "mlflow"),
      });
    }
    for (const item of items) {
      if (item.kind === "rating") await sendRating(asked, item);
    }
  }, limits);
  return {
    answered: (answer) => {
      if (!isSampled(answer.id, sample)) return;
      const trace = answerTrace(answer, { hasContents, redacted });
      queue.add({ kind: "answer", trace }, 2 * JSON.stringify(trace).length);
    },
    rated: (id, given) => {
      if (!isSampled(id, sample)) return;
      const rating = shownRating(given, { hasContents, redacted });
      queue.add({ kind: "rating", id, rating }, 2 * JSON.stringify(rating).length);
    },
    status: () => {
      const { waiting, sent, lost } = queue;
      return { name: "mlflow", waiting, sent, lost };
    },
    end: (patienceMs = 5_000) => queue.end(patienceMs),
  };
}

/** The last rating of an answer counts. Nothing happens if the server does not have the answer. */
async function sendRating(
  server: TrackingServer,
  { id, rating: { rating, comment, correction } }: Extract<Item, { kind: "rating" }>,
): Promise<void> {
  const traceId = answerTraceId(id);
  const path = `/api/3.0/mlflow/traces/tr-${traceId}/assessments`;
  const said: readonly (readonly [name: string, value: JsonObject])[] = [
    [
      "user_rating",
      { feedback: { value: rating === "up" }, ...(comment !== null && { rationale: comment }) },
    ],
    ...(correction === null
      ? []
      : [["expected_response", { expectation: { value: correction } }] as const]),
  ];
  for (const [name, value] of said) {
    const assessment: JsonObject = {
      assessment_id: `a-${sha256(`${traceId}/${name}`).slice(0, 32)}`,
      assessment_name: name,
      trace_id: `tr-${traceId}`,
      source: { source_type: "HUMAN", source_id: "user" },
      ...value,
    };
    const place = `${path}/${assessment["assessment_id"] as string}`;
    const mask = Object.keys(value).join(",");
    const body = { assessment, update_mask: mask };
    const known = await server.ask({ method: "PATCH", path: place, body });
    if (known === null) await server.ask({ method: "POST", path, body: { assessment } });
  }
}
