import { secretMask } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";
import type { AnswerOutcome, AnswerQuestion, Question } from "../answer/answer-question.ts";
import { onceEnded } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import { failureCauses } from "./failure-causes.ts";
import { liveScore } from "./live-score.ts";
import type { Asker } from "../state/canary-key.ts";
import { canaryKey } from "../state/canary-key.ts";
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
  return failure !== undefined && failureCauses[failure.code] === "client";
}
