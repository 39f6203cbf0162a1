import type { LanguageModel } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort } from "../../internal/index.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";
import { runChat } from "../model/chat-run.ts";
import { inputProblem } from "../model/input-problem.ts";
import { inputTooLong } from "../model/input-too-long.ts";
import { settleAfterAbort } from "./settle-after-abort.ts";
import { withOneInput } from "../model/with-one-input.ts";
import type { AnswerOutcome, AnswerQuestion } from "./answer-question.ts";
import { admittedBy } from "./answer-question.ts";
import type { Admission } from "./admission.ts";
import { ApiError } from "../api-error/api-error.ts";
import { apiErrorOf } from "../api-error/api-error-of.ts";
import { timedLms } from "./timed-lms.ts";

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
  /** Maximum characters of a text whose field has no maximum of its own. */
  readonly maxInput: number;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly isDraining: () => boolean;
  readonly stopping: AbortSignal;
}): AnswerQuestion {
  return ({ model: served, signal: client, ...question }) => {
    if (isDraining()) return { state: "refused", error: serverStopping() };
    const model = withOneInput(served);
    const asked = { images: [], ...question, askedAt: now() };
    const tooLong = inputTooLong(model, asked, maxInput);
    if (tooLong !== null) {
      const error = new ApiError(400, "input_too_long", tooLong, { param: "messages" });
      return { state: "refused", error };
    }
    const invalid = inputProblem(model, asked);
    if (invalid !== null) {
      const error = new ApiError(400, "input_invalid", invalid, { param: "messages" });
      return { state: "refused", error };
    }
    const ending = linkedAbort([client, stopping]);
    const { signal } = ending;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = !signal.aborted;
      ending.abort();
    }, deadlineMs);
    const endsAtMs = clock.now() + deadlineMs;
    const timed = timedLms({ model, lm, lms }, () => endsAtMs - clock.now());
    const run = (): Promise<ChatOutcome> =>
      runChat(timed.model, { ...asked, lm: timed.lm, lms: timed.lms, signal });

    const ended = (outcome: ChatOutcome | null): AnswerOutcome => {
      if (outcome !== null && outcome.failure === undefined) {
        const { clientCalls: calls } = outcome;
        return calls ? { state: "calls", calls, outcome } : { state: "answered", outcome };
      }
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
      ending.release();
    };
    const key = question.apiKey === undefined ? {} : { apiKey: question.apiKey };
    const start = admittedBy(() => {
      const running = admission.admit(
        () => settleAfterAbort(run(), { signal, version: model.version }),
        { ...key, signal },
      );
      const outcome = running
        .then(ended, (error: unknown) =>
          error instanceof ApiError
            ? { state: "refused" as const, error, outcome: null }
            : ended(null),
        )
        .finally(release);
      return { state: "admitted", outcome };
    });
    if (start.state === "refused") release();
    return start;
  };
}

function serverStopping(): ApiError {
  return new ApiError(503, "server_stopping", "The server is stopping.", { retryAfterSeconds: 5 });
}
