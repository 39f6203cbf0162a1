import type { Clock } from "../../internal/index.ts";
import type { AnswerOutcome, AnswerQuestion } from "./answer-question.ts";
import { onceEnded } from "./answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ServerMetrics } from "../telemetry/server-metrics.ts";

/** Counts and logs each question; neither record contains the question or its answer. */
export function observedAnswerer(
  answer: AnswerQuestion,
  {
    metrics,
    log,
    clock,
  }: { readonly metrics: ServerMetrics; readonly log: ServerLog; readonly clock: Clock },
): AnswerQuestion {
  return (request) => {
    const startedAt = clock.now();
    const { id, model } = request;
    const observe = (status: number, asked: AnswerOutcome | null): void => {
      const durationMs = clock.now() - startedAt;
      const outcome = asked?.outcome ?? null;
      const { code = null, message = null } = outcome?.failure ?? {};
      metrics.chatEnded({ model: model.id, version: model.version, status, durationMs });
      log("chat", {
        id,
        model: model.id,
        version: model.version,
        status,
        durationMs: Math.round(durationMs),
        lmCalls: outcome?.usage.lmCalls ?? 0,
        promptTokens: outcome?.usage.promptTokens ?? 0,
        completionTokens: outcome?.usage.completionTokens ?? 0,
        ...(asked?.state === "calls" && { clientCalls: asked.calls.length }),
        ...(code !== null && { failure: code, problem: message }),
      });
    };
    const start = answer(request);
    if (start.state === "refused") observe(start.error.status, null);
    return onceEnded(start, (ended) => {
      observe(statusOf(ended), ended);
      return ended;
    });
  };
}

function statusOf(asked: AnswerOutcome): number {
  if (asked.state === "answered" || asked.state === "calls") return 200;
  // Not an HTTP status: nginx's code for a client that disconnected.
  return asked.state === "left" ? 499 : asked.error.status;
}
