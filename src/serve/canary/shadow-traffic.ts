import type { LanguageModel } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";
import type { ChatRunOptions } from "../model/chat-run.ts";
import { runChat } from "../model/chat-run.ts";
import { settleAfterAbort } from "../answer/settle-after-abort.ts";
import type { PausableDeadline } from "./pausable-deadline.ts";
import { pausableDeadline } from "./pausable-deadline.ts";

/** Runs of candidates that nobody waits for. */
export interface ShadowTraffic extends Disposable {
  /**
   * @returns `null` at once where the run is dropped: the server has better to do. The promise
   *   never rejects; `null` of a run that the end of the server cut off
   */
  run(model: ChatModel, question: ShadowQuestion): Promise<ShadowEnd | null> | null;
  /** How many were begun, and how many dropped. */
  readonly counts: { readonly run: number; readonly dropped: number };
}

export type ShadowQuestion = Pick<ChatRunOptions, "question" | "history" | "id" | "seed">;

export interface ShadowEnd {
  readonly outcome: ChatOutcome;
  readonly hasExpired: boolean;
}

/**
 * Whatever they ask of LMs is asked in the role `shadow`, which no call that somebody waits for
 * waits for. ShadowTraffic have few slots of LMs, and the versions that they are compared with have
 * more: their waiting for one says nothing of the candidate.
 *
 * @param slots so many at a time; none waits
 * @param deadlineMs for each, its calls' waiting for slots of LMs apart
 * @param isBusy whether a question of a person would have to wait for a slot
 */
export function shadowTraffic({
  lm,
  slots,
  deadlineMs,
  isBusy,
  clock,
}: {
  readonly lm: LanguageModel;
  readonly slots: number;
  readonly deadlineMs: number;
  readonly isBusy: () => boolean;
  readonly clock: Clock;
}): ShadowTraffic {
  const stopping = new AbortController();
  const counts = { run: 0, dropped: 0 };
  let running = 0;

  const run = async (model: ChatModel, question: ShadowQuestion): Promise<ShadowEnd | null> => {
    running += 1;
    const ending = linkedAbort([stopping.signal]);
    const { signal } = ending;
    let hasExpired = false;
    using deadline = pausableDeadline(deadlineMs, {
      clock,
      onExpired: () => {
        hasExpired = !signal.aborted;
        ending.abort();
      },
    });
    try {
      const answering = runChat(inShadow(model, deadline), {
        ...question,
        lm: shadowed(lm, deadline),
        signal,
      });
      const outcome = await settleAfterAbort(answering, { signal, version: model.version });
      return stopping.signal.aborted ? null : { outcome, hasExpired };
    } finally {
      ending.release();
      running -= 1;
    }
  };
  return {
    counts,
    run: (model, question) => {
      const isDropped = stopping.signal.aborted || running >= slots || isBusy();
      counts[isDropped ? "dropped" : "run"] += 1;
      return isDropped ? null : run(model, question);
    },
    [Symbol.dispose]: () => stopping.abort(),
  };
}

function inShadow(model: ChatModel, deadline: PausableDeadline): ChatModel {
  const { lms } = model;
  if (lms === undefined) return model;
  return {
    ...model,
    lms: Object.fromEntries(
      Object.entries(lms).map(([name, lm]) => [name, shadowed(lm, deadline)]),
    ),
  };
}

/** Rerankers and judges would name a role of their own. */
function shadowed(lm: LanguageModel, deadline: PausableDeadline): LanguageModel {
  const onWaiting = (isWaiting: boolean): void => deadline[isWaiting ? "pause" : "resume"]();
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      lm.doGenerate(request, { ...options, role: "shadow", onWaiting }),
  };
}
