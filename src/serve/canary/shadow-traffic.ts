import type { LanguageModel } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort, mapValues } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome } from "../model/chat-exchange.ts";
import type { ChatRunOptions } from "../model/chat-run.ts";
import { runChat, settleAfterAbort } from "../model/chat-run.ts";

/** Runs of candidates whose answers no client sees. */
export interface ShadowTraffic extends Disposable {
  /**
   * @returns `null` at once if the run is dropped because the server is busy or stopping. The
   *   promise never rejects; it resolves to `null` if the server's shutdown cut the run off
   */
  run(model: ChatModel, question: ShadowQuestion): Promise<ShadowEnd | null> | null;
  readonly counts: { readonly run: number; readonly dropped: number };
}

export type ShadowQuestion = Pick<
  ChatRunOptions,
  "question" | "history" | "images" | "clientTools" | "id" | "seed"
>;

export interface ShadowEnd {
  readonly outcome: ChatOutcome;
  readonly hasExpired: boolean;
}

/**
 * All LM calls of shadow runs have the role `shadow`, which never delays a call that a client waits
 * for. Shadow runs get few LM slots, fewer than the versions they are compared with, so that
 * waiting for a slot says nothing about the candidate.
 *
 * @param slots maximum concurrent runs; further ones are dropped, not queued
 * @param deadlineMs per run, excluding its calls' waits for LM slots
 * @param isBusy whether a client's question would have to wait for a slot
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
  return { ...model, lms: mapValues(lms, (lm) => shadowed(lm, deadline)) };
}

/** Overrides the role that rerankers and judges would set themselves. */
function shadowed(lm: LanguageModel, deadline: PausableDeadline): LanguageModel {
  const onWaiting = (isWaiting: boolean): void => deadline[isWaiting ? "pause" : "resume"]();
  return {
    identity: lm.identity,
    doGenerate: (request, options) =>
      lm.doGenerate(request, { ...options, role: "shadow", onWaiting }),
  };
}

/** A deadline whose clock stops while it is paused. */
interface PausableDeadline extends Disposable {
  pause(): void;
  /** Call once per pause. */
  resume(): void;
}

/** @param onExpired called once, unless the deadline was disposed of */
export function pausableDeadline(
  durationMs: number,
  { clock, onExpired }: { readonly clock: Clock; readonly onExpired: () => void },
): PausableDeadline {
  let leftMs = durationMs;
  let holders = 0;
  let isOver = false;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    since = clock.now();
    timer = setTimeout(() => {
      isOver = true;
      onExpired();
    }, leftMs);
  };
  start();
  return {
    pause: () => {
      holders += 1;
      if (holders > 1) return;
      clearTimeout(timer);
      leftMs -= clock.now() - since;
    },
    resume: () => {
      holders -= 1;
      if (holders === 0 && !isOver) start();
    },
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
