import type { LanguageModel } from "../../contract/index.ts";
import { joinedAbort } from "../../internal/index.ts";
import type { ChatModel } from "../chat-model.ts";
import type { ChatOutcome } from "../chat-outcome.ts";
import type { ChatRunOptions } from "../chat-run.ts";
import { runChat } from "../chat-run.ts";
import { unlessStuck } from "../unless-stuck.ts";

/** Runs of candidates that nobody waits for. */
export interface Shadows extends Disposable {
  /**
   * @returns `null` at once where the run is dropped: the server has better to do. The promise never
   *   rejects; `null` of a run that the end of the server cut off
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
 * Whatever they ask of LMs is asked in the role `shadow`, which no call that somebody waits for waits for.
 *
 * @param slots so many at a time; none waits
 * @param isBusy whether questions of people wait, or would have to
 */
export function shadows({
  lm,
  slots,
  deadlineMs,
  isBusy,
}: {
  readonly lm: LanguageModel;
  readonly slots: number;
  readonly deadlineMs: number;
  readonly isBusy: () => boolean;
}): Shadows {
  const stopping = new AbortController();
  const counts = { run: 0, dropped: 0 };
  let running = 0;

  const run = async (model: ChatModel, question: ShadowQuestion): Promise<ShadowEnd | null> => {
    running += 1;
    const ending = joinedAbort([stopping.signal]);
    const { signal } = ending;
    let hasExpired = false;
    const timer = setTimeout(() => {
      hasExpired = !signal.aborted;
      ending.abort();
    }, deadlineMs);
    try {
      const answering = runChat(inShadow(model), { ...question, lm: shadowed(lm), signal });
      const outcome = await unlessStuck(answering, { signal, version: model.version });
      return stopping.signal.aborted ? null : { outcome, hasExpired };
    } finally {
      clearTimeout(timer);
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

function inShadow(model: ChatModel): ChatModel {
  const { lms } = model;
  if (lms === undefined) return model;
  return {
    ...model,
    lms: Object.fromEntries(Object.entries(lms).map(([name, lm]) => [name, shadowed(lm)])),
  };
}

/** Rerankers and judges would name a role of their own. */
function shadowed(lm: LanguageModel): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: (request, options) => lm.doGenerate(request, { ...options, role: "shadow" }),
  };
}
