import type { LanguageModel } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort, mapValues } from "../../internal/index.ts";
import type { ChatOutcome, ChatQuestion } from "../model/chat-exchange.ts";
import { runChat, settleAfterAbort } from "../model/chat-run.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { inputTooLong } from "../model/input-too-long.ts";
import { withOneInput } from "../model/chat-model.ts";
import type { AnswerOutcome, AnswerQuestion } from "./answer-question.ts";
import { admittedBy, onceEnded } from "./answer-question.ts";
import type { Admission } from "./admission.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { Failure } from "../../errors/index.ts";
import { errorCodes, LmError } from "../../errors/index.ts";
import type { ServedModel } from "../model/served-model.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ServerMetrics } from "../telemetry/server-metrics.ts";

/** @param stopping fires when the time that a shutdown allows is over */
export function answerer({
  lm,
  admission,
  deadlineMs,
  maxInput,
  clock,
  now,
  isDraining,
  stopping,
}: {
  readonly lm: LanguageModel;
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
    const timed = timedLms({ model, lm }, () => endsAtMs - clock.now());
    const run = (): Promise<ChatOutcome> =>
      runChat(timed.model, { ...asked, lm: timed.lm, signal });

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

/** LMs for one question, which know the time until its deadline. */
interface TimedLms {
  readonly model: ServedModel;
  readonly lm: LanguageModel;
  /**
   * The wait that an LM's last error asked for, in milliseconds; `undefined` if it asked for none.
   */
  retryAfterMs(): number | undefined;
}

/** @param timeLeftMs until the question's deadline */
function timedLms(
  { model, lm }: Pick<TimedLms, "model" | "lm">,
  timeLeftMs: () => number,
): TimedLms {
  let retryAfterMs: number | undefined;
  const timed = (lm: LanguageModel): LanguageModel => ({
    identity: lm.identity,
    doGenerate: async (request, options) => {
      try {
        return await lm.doGenerate(request, { ...options, timeLeftMs });
      } catch (error) {
        if (LmError.isInstance(error)) ({ retryAfterMs } = error);
        throw error;
      }
    },
  });
  return {
    model: model.lms === undefined ? model : { ...model, lms: mapValues(model.lms, timed) },
    lm: timed(lm),
    retryAfterMs: () => retryAfterMs,
  };
}

/**
 * The client's view of a failed run: the code and its sentence in the table of errors. The
 * failure's message goes only to the operator's log, since it may quote addresses, prompts and
 * replies.
 *
 * @param retryAfterMs the wait that the LM's server asked for; the client is asked for the same, up
 *   to an hour
 */
function apiErrorOf({ kind, code }: Failure, retryAfterMs?: number): ApiError {
  const snake = code.replaceAll("-", "_");
  const [, sentence] = errorCodes[code];
  if (code === "lm-context-overflow") {
    return new ApiError(400, "context_length_exceeded", sentence, { param: "messages" });
  }
  if (code === "lm-prompt-refused") {
    return new ApiError(400, "content_filter", sentence, { param: "messages" });
  }
  if (code === "input-invalid") return new ApiError(400, snake, sentence, { param: "messages" });
  if (kind === "infrastructure") {
    const retryAfterSeconds =
      retryAfterMs === undefined
        ? code === "lm-rate-limited"
          ? 10
          : 5
        : Math.min(Math.max(Math.ceil(retryAfterMs / 1_000), 1), longestRetryAfterSeconds);
    return new ApiError(503, snake, sentence, { retryAfterSeconds });
  }
  return new ApiError(500, snake, sentence);
}

const longestRetryAfterSeconds = 3_600;

/**
 * Why the model's program cannot take a question, in sentences for the client; `null` if it can.
 */
function inputProblem(model: ChatModel, asked: ChatQuestion): string | null {
  const { program } = model;
  let [problem, isText]: [string | null, boolean] = [null, false];
  try {
    const input = model.inputOf(asked);
    isText = typeof input === "string";
    problem = program.inputProblem(input);
  } catch {
    // The run reports what `inputOf` throws.
    return null;
  }
  if (problem === null) return null;
  const fields = Object.keys(program.input).map((name) => `\`${name}\``);
  return `The message is not a valid input for this model, which takes ${fields.join(", ")}${isText ? " as JSON" : ""}: ${problem}.`;
}

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
