import { secretMask } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome, LiveAnswer, LiveMetric } from "../model/chat-exchange.ts";
import type { AnswerOutcome, AnswerQuestion, Question } from "../answer/answer-question.ts";
import { onceEnded } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ErrorCode, Failure } from "../../errors/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { Asker } from "../state/stored-canary.ts";
import { canaryKey } from "../state/stored-canary.ts";
import type { ShadowTraffic } from "./shadow-traffic.ts";
import type { CanaryRun } from "../model/served-model.ts";

/**
 * Answers each question of a model on trial with one of the two versions, and scores answers after
 * they were given: the trial neither delays nor alters an answer.
 */
export function canaryAnswerer(
  answer: AnswerQuestion,
  {
    shadowTraffic,
    log,
    secrets,
  }: {
    readonly shadowTraffic: ShadowTraffic;
    readonly log: ServerLog;
    readonly secrets: readonly string[];
  },
): AnswerQuestion {
  const masked = secretMask(secrets);
  const reported = new Set<string>();
  const scoreOf = (
    { id, liveMetrics = {} }: ChatModel,
    { question, history }: Question,
    outcome: ChatOutcome,
    hasExpired: boolean,
  ): number | null =>
    liveScore(
      { question, history, outcome },
      {
        metrics: liveMetrics,
        hasExpired,
        onFault: (metric, problem) => {
          if (reported.has(`${id} ${metric}`)) return;
          reported.add(`${id} ${metric}`);
          log("live-metric-unusable", { model: id, metric, problem });
        },
      },
    );

  const observeShadow = async (
    canaryRun: CanaryRun,
    request: Question,
    { asker, baseline }: { readonly asker: Asker; readonly baseline: number },
  ): Promise<void> => {
    const { candidate } = canaryRun;
    const { question, history, images, clientTools, id, seed } = request;
    const shadow = shadowTraffic.run(candidate, {
      question,
      history,
      id,
      ...(images && { images }),
      ...(clientTools && { clientTools }),
      ...(seed !== undefined && { seed }),
    });
    if (shadow === null) {
      canaryRun.observe(asker, { baseline, candidate: null }, true);
      return;
    }
    const end = await shadow;
    const score = end && scoreOf(candidate, request, end.outcome, end.hasExpired);
    if (end === null) return;
    const { usage, failure } = end.outcome;
    log("shadow", {
      id,
      model: candidate.id,
      version: candidate.version,
      score,
      scoreOfAnswer: baseline,
      lmCalls: usage.lmCalls,
      ...(failure && { failure: failure.code, problem: failure.message }),
    });
    // If only one of a pair can be scored, neither counts: which ones those are is not random.
    if (score !== null) canaryRun.observe(asker, { baseline, candidate: score });
  };
  const observe = (
    canaryRun: CanaryRun,
    request: Question,
    asked: AnswerOutcome,
    asker: Asker,
  ): void => {
    const { model } = request;
    if (asked.outcome === null) return;
    const hasExpired = asked.state === "refused" && asked.error.code === "deadline_exceeded";
    const score =
      asked.state === "left" ? null : scoreOf(model, request, asked.outcome, hasExpired);
    if (score === null) {
      // A client that may know its version by now could choose its next question accordingly.
      if (asked.state === "answered" || isOfClient(asked, asked.outcome)) canaryRun.spend(asker);
      return;
    }
    if (model === canaryRun.candidate)
      canaryRun.observe(asker, { baseline: null, candidate: score });
    else if (canaryRun.isShadowed(asker))
      void observeShadow(canaryRun, request, { asker, baseline: score });
    else canaryRun.observe(asker, { baseline: score, candidate: null });
  };

  return (request) => {
    const { canaryRun } = request.model;
    if (canaryRun === undefined) return answer(request);
    const asker = { apiKey: request.apiKey, key: canaryKey(request, masked) };
    const isCandidates = canaryRun.armOf(asker) === "candidate";
    const chosen = isCandidates ? { ...request, model: canaryRun.candidate } : request;
    return onceEnded(answer(chosen), (ended) => {
      // Clients that wait have priority.
      setImmediate(() => observe(canaryRun, chosen, ended, asker));
      return ended;
    });
  };
}

function isOfClient({ state }: AnswerOutcome, { failure }: ChatOutcome): boolean {
  if (state === "left") return true;
  return failure !== undefined && causeOf(failure) === "client";
}

/**
 * The mean of the metrics and of `answered`, which is 1; 0 if the version failed to answer or was
 * too slow; `null` if the run says nothing about the version: something else was at fault,
 * it asks for tools of the client, or a metric does not work.
 */
export function liveScore(
  { outcome, ...asked }: LiveAnswer,
  {
    metrics,
    hasExpired,
    onFault,
  }: {
    readonly metrics: Readonly<Record<string, LiveMetric>>;
    /** Whether the deadline passed: a late answer counts as none. */
    readonly hasExpired: boolean;
    readonly onFault: (metric: string, problem: string) => void;
  },
): number | null {
  const { failure } = outcome;
  if (failure !== undefined) {
    if (hasExpired) return 0;
    return causeOf(failure) === "version" ? 0 : null;
  }
  // The asker counts once its tools have led to an answer, by the same version.
  if (outcome.clientCalls !== undefined) return null;
  let total = 1;
  const entries = Object.entries(metrics);
  for (const [name, metric] of entries) {
    try {
      const score = metric({ ...asked, outcome });
      if (!(score >= 0 && score <= 1)) {
        onFault(name, `It returned ${String(score)} instead of a score in [0, 1].`);
        return null;
      }
      total += score;
    } catch (error) {
      onFault(name, messageOf(error));
      return null;
    }
  }
  return total / (entries.length + 1);
}

/**
 * Whose fault it is that a run failed:
 *
 * - `version`: of the program, its texts or its parameters; the version scores 0. A failure with
 *   several possible causes, the client among them, counts here: otherwise a version that always
 *   fails would never be rolled back.
 * - `client`: of the question, or of a client that did not wait; no observation.
 * - `surroundings`: of a server, a file or a key that would have failed another version as well; no
 *   observation.
 */
function causeOf({ kind, code }: Failure): "version" | "client" | "surroundings" {
  if (kind === "client" || causedByClient.has(code)) return "client";
  return kind === "format" || causedByVersion.has(code) ? "version" : "surroundings";
}

/** A client chooses how long a question is and what it holds, and could cause these at will. */
const causedByClient: ReadonlySet<ErrorCode> = new Set([
  "lm-context-overflow",
  "lm-prompt-refused",
  "input-invalid",
]);

/** Beside all faults of format. */
const causedByVersion: ReadonlySet<ErrorCode> = new Set([
  // Includes a candidate whose parameters the server rejects on every question.
  "lm-request-refused",
  "lm-unsupported",
  "signature-invalid",
  "field-unrepresentable",
  "program-invalid",
  "parameter-unknown",
  "parameter-invalid",
  "component-unknown",
  "component-invalid",
  "option-invalid",
  "call-path-repeated",
  "program-failed",
]);
