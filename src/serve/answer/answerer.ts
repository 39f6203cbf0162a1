import type { LanguageModel, Turn } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort } from "../../internal/index.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";
import type { ChatEvent } from "../model/chat-run.ts";
import { runChat } from "../model/chat-run.ts";
import { inputTooLong } from "../model/input-too-long.ts";
import type { ServedModel } from "../model/served-model.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import { withOneInput } from "../model/with-one-input.ts";
import type { Admission } from "./admission.ts";
import { ApiError } from "../api-error/api-error.ts";
import { apiErrorOf } from "../api-error/api-error-of.ts";
import { timedLms } from "./timed-lms.ts";
import { tokenMeter } from "./token-meter.ts";

export interface Question {
  readonly model: ServedModel;
  readonly question: string;
  readonly history: readonly Turn[];
  /** Of the request. */
  readonly id: string;
  readonly seed?: number;
  /** Whom the client asks for, in its own words. */
  readonly user?: string;
  /** Name of the API key that asks, never the key itself; absent on a server without keys. */
  readonly apiKey?: string;
  /** The client's own id of the conversation. */
  readonly conversation?: string;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ChatEvent) => void;
  /** Hears what each LM call used as soon as it ends, also after the question did. Must not throw. */
  readonly onSpent?: (tokens: number) => void;
}

/** How a question ended: an answer, or what the client is told instead. */
export type AnswerOutcome =
  | { readonly state: "answered"; readonly outcome: ChatOutcome }
  | { readonly state: "refused"; readonly error: ApiError; readonly outcome: ChatOutcome | null }
  /** There is nobody to be told. */
  | { readonly state: "left"; readonly outcome: ChatOutcome | null };

/**
 * Has a question answered within the server's limits. The promise never rejects.
 *
 * @throws ApiError 400 for a text that is too long, 429 when the queue is full, 503 when the server stops: at
 *   once, so that a status can still be sent
 */
export type AnswerQuestion = (request: Question) => Promise<AnswerOutcome>;

/** @param stopping fires when the time that a shutdown allows is over */
export function answerer({
  lm,
  lms,
  admission,
  deadlineMs,
  maxInput,
  clock,
  now,
  isDraining,
  stopping,
}: {
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  readonly admission: Admission;
  readonly deadlineMs: number;
  /** Characters of a text whose field has no maximum of its own. */
  readonly maxInput: number;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly isDraining: () => boolean;
  readonly stopping: AbortSignal;
}): AnswerQuestion {
  return ({ model: served, signal: client, onSpent = () => undefined, ...question }) => {
    if (isDraining()) throw serverStopping();
    const model = withOneInput(served);
    const asked = { ...question, askedAt: now() };
    const tooLong = inputTooLong(model, asked, maxInput);
    if (tooLong !== null) throw new ApiError(400, "input_too_long", tooLong, { param: "messages" });
    const ending = linkedAbort([client, stopping]);
    const { signal } = ending;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = !signal.aborted;
      ending.abort();
    }, deadlineMs);
    const endsAtMs = clock.now() + deadlineMs;
    const meter = tokenMeter(onSpent);
    const timed = timedLms(
      { model, lm, lms },
      { metered: meter.metered, timeLeftMs: () => endsAtMs - clock.now() },
    );
    const run = (): Promise<ChatOutcome> =>
      runChat(timed.model, { ...asked, lm: timed.lm, lms: timed.lms, signal });

    const ended = (outcome: ChatOutcome | null): AnswerOutcome => {
      if (outcome !== null && outcome.failure === undefined) return { state: "answered", outcome };
      if (client.aborted) return { state: "left", outcome };
      const error = isLate
        ? new ApiError(504, "deadline_exceeded", `No answer within ${deadlineMs / 1_000} s.`)
        : stopping.aborted || outcome?.failure === undefined
          ? serverStopping()
          : apiErrorOf(outcome.failure, timed.retryAfterMs());
      return { state: "refused", error, outcome };
    };
    const release = (): void => {
      clearTimeout(timer);
      meter.settle();
      ending.release();
    };
    const key = question.apiKey === undefined ? {} : { apiKey: question.apiKey };
    try {
      return admission
        .admit(() => settleAfterAbort(run(), { signal, version: model.version }), {
          ...key,
          signal,
        })
        .then(ended, (error: unknown) =>
          error instanceof ApiError
            ? { state: "refused" as const, error, outcome: null }
            : ended(null),
        )
        .finally(release);
    } catch (error) {
      release();
      throw error;
    }
  };
}

function serverStopping(): ApiError {
  return new ApiError(503, "server_stopping", "The server is stopping.", { retryAfterSeconds: 5 });
}
