import { secretMask } from "../../internal/index.ts";
import type { ChatModel } from "../chat-model.ts";
import type { ChatOutcome } from "../chat-outcome.ts";
import type { Ask, Asked, AskRequest } from "../http/asker.ts";
import type { ServerLog } from "../http/server-log.ts";
import { failureCauses } from "./failure-causes.ts";
import { liveScore } from "./live-score.ts";
import type { Asker } from "./rollout-key.ts";
import { rolloutKey } from "./rollout-key.ts";
import type { Shadows } from "./shadows.ts";
import type { Trial } from "./trial.ts";

/**
 * Has questions of a model on trial answered by one of both versions, and looks at the answers after they
 * were given: what is done for a trial neither delays nor alters any.
 */
export function rolloutAsk(
  ask: Ask,
  {
    shadows,
    log,
    secrets,
  }: {
    readonly shadows: Shadows;
    readonly log: ServerLog;
    readonly secrets: readonly string[];
  },
): Ask {
  const masked = secretMask(secrets);
  const reported = new Set<string>();
  const scoreOf = (
    { id, liveMetrics = {} }: ChatModel,
    { question, history }: AskRequest,
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
    trial: Trial,
    request: AskRequest,
    { asker, baseline }: { readonly asker: Asker; readonly baseline: number },
  ): Promise<void> => {
    const { candidate } = trial;
    const { question, history, id, seed } = request;
    const shadow = shadows.run(candidate, {
      question,
      history,
      id,
      ...(seed !== undefined && { seed }),
    });
    if (shadow === null) {
      trial.observe(asker, { baseline, candidate: null }, true);
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
    // Where only one of a pair can be scored, neither counts: which ones those are is not left to chance.
    if (score !== null) trial.observe(asker, { baseline, candidate: score });
  };
  const observe = (trial: Trial, request: AskRequest, asked: Asked, asker: Asker): void => {
    const { model } = request;
    if (asked.outcome === null) return;
    const hasExpired = asked.state === "refused" && asked.error.code === "deadline_exceeded";
    const score =
      asked.state === "left" ? null : scoreOf(model, request, asked.outcome, hasExpired);
    if (score === null) {
      // Who may know its version by now could choose its next question by it.
      if (asked.state === "answered" || isOfClient(asked, asked.outcome)) trial.spend(asker);
      return;
    }
    if (model === trial.candidate) trial.observe(asker, { baseline: null, candidate: score });
    else if (trial.isShadowed(asker))
      void observeShadow(trial, request, { asker, baseline: score });
    else trial.observe(asker, { baseline: score, candidate: null });
  };

  return (request) => {
    const { trial } = request.model;
    if (trial === undefined) return ask(request);
    const asker = { apiKey: request.apiKey, key: rolloutKey(request, masked) };
    const isCandidates = trial.armOf(asker) === "candidate";
    const chosen = isCandidates ? { ...request, model: trial.candidate } : request;
    return ask(chosen).then((asked) => {
      // Whoever waits for the answer goes first.
      setImmediate(() => observe(trial, chosen, asked, asker));
      return asked;
    });
  };
}

function isOfClient({ state }: Asked, { failure }: ChatOutcome): boolean {
  if (state === "left") return true;
  return failure !== undefined && failureCauses[failure.code] === "client";
}
