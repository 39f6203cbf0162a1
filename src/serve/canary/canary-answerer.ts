import { secretMask } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome, LiveAnswer, LiveMetric } from "../model/chat-exchange.ts";
import type { AnswerOutcome, AnswerQuestion, Question } from "../answer/answer-question.ts";
import { onceEnded } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import { messageOf } from "../../errors/index.ts";
import type { Asker } from "../state/stored-canary.ts";
import { canaryKey } from "../state/stored-canary.ts";
import type { ShadowTraffic } from "./shadow-traffic.ts";
import type { CanaryRun } from "../model/served-model.ts";
import type { ErrorCode } from "../../errors/index.ts";

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
  return failure !== undefined && failureCauses[failure.code] === "client";
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
    return failureCauses[failure.code] === "version" ? 0 : null;
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
 * The party at fault for a failure.
 *
 * - `version`: the program, its texts or its parameters; the version scores 0.
 * - `client`: the question, or a client that did not wait for the answer; no observation.
 * - `surroundings`: a server, a file or a key that would have failed another version as well; no
 *   observation.
 */
type FailureCause = "version" | "client" | "surroundings";

/**
 * Covers every error code, even those that cannot end an answer, so that a new code is classified
 * here before it can be served. A failure with several possible causes, the client among them,
 * counts against the version: otherwise a version that always fails would never be rolled back.
 */
const failureCauses: Readonly<Record<ErrorCode, FailureCause>> = {
  "lm-unreachable": "surroundings",
  "lm-stalled": "surroundings",
  "lm-rate-limited": "surroundings",
  "lm-server-error": "surroundings",
  "lm-unavailable": "surroundings",
  "lm-bad-envelope": "surroundings",
  "lm-reply-too-large": "surroundings",
  "lm-reply-missing": "surroundings",
  "artifact-rehearsed": "surroundings",
  "write-failed": "surroundings",
  "module-untrusted": "surroundings",
  "tool-not-allowed": "surroundings",
  "tool-server-failed": "surroundings",
  // Includes a candidate whose parameters the server rejects on every question.
  "lm-request-refused": "version",
  "lm-quota-exhausted": "surroundings",
  "lm-usage-missing": "surroundings",
  "search-hopeless": "surroundings",
  "lm-unauthorized": "surroundings",
  "lm-untrusted": "surroundings",
  "lm-not-found": "surroundings",
  "lm-unsupported": "version",
  "search-failed": "surroundings",
  "search-refused": "surroundings",
  "tracking-failed": "surroundings",
  "tracking-refused": "surroundings",
  "tracking-conflict": "surroundings",
  "queue-failed": "surroundings",
  "checkout-differs": "surroundings",
  // The client chooses the length of a question, and could cause this failure at will.
  "lm-context-overflow": "client",
  "lm-prompt-refused": "client",
  "output-empty": "version",
  "output-truncated": "version",
  "output-unparseable": "version",
  "output-invalid": "version",
  "signature-invalid": "version",
  "field-unrepresentable": "version",
  "program-invalid": "version",
  "parameter-unknown": "version",
  "parameter-invalid": "version",
  "component-unknown": "version",
  "component-invalid": "version",
  "study-invalid": "surroundings",
  "serving-invalid": "surroundings",
  "experiment-invalid": "surroundings",
  "option-invalid": "version",
  "part-missing": "surroundings",
  "key-missing": "surroundings",
  "input-invalid": "client",
  "call-path-repeated": "version",
  "program-failed": "version",
  "metric-failed": "surroundings",
  "proposer-failed": "surroundings",
  "comparison-invalid": "surroundings",
  "coverage-too-low": "surroundings",
  "journal-mismatch": "surroundings",
  "choice-unmet": "surroundings",
  "run-locked": "surroundings",
  "budget-exhausted": "surroundings",
  "client-tools-called": "client",
  // Shutdown only: disconnected clients and expired deadlines are handled before this lookup.
  aborted: "surroundings",
  "file-missing": "surroundings",
  "file-malformed": "surroundings",
  "dataset-invalid": "surroundings",
  "corpus-invalid": "surroundings",
  "index-unusable": "surroundings",
  "embedding-invalid": "surroundings",
  "passage-unknown": "surroundings",
  "artifact-invalid": "surroundings",
  "artifact-drifted": "surroundings",
  "artifact-unknown": "surroundings",
  "artifact-conflict": "surroundings",
  "registry-name-invalid": "surroundings",
  "registry-locked": "surroundings",
  "cache-unusable": "surroundings",
  "feedback-unusable": "surroundings",
  "serve-state-unusable": "surroundings",
  "usage-invalid": "surroundings",
  "node-too-old": "surroundings",
};
