import type { AnswerQuestion, AnswerOutcome, Question } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";
import { feedbackLines } from "./feedback-lines.ts";
import type { FeedbackStore } from "./open-feedback.ts";
import { onceEnded } from "../answer/answer-question.ts";

/** Feedback as a running server keeps it. */
export interface ServerFeedback {
  readonly writer: FeedbackWriter;
  around(answer: AnswerQuestion): AnswerQuestion;
  lines(): readonly string[];
  /** Fields of `/ready`; feedback never makes the server unready. */
  readonly informational: Readonly<Record<string, () => string>>;
  /** Starts the thread; erases expired data now and every hour, also without requests. */
  start(): Promise<void>;
  /** Writes the queue within the given time, or a moment at least, and closes the file. */
  close(endsInMs: number, signal: AbortSignal): Promise<void>;
}

export function serverFeedback(
  store: FeedbackStore,
  { log, now }: { readonly log: ServerLog; readonly now: () => Date },
): ServerFeedback {
  const writer = store.writer(log);
  let pruning: NodeJS.Timeout | undefined;
  return {
    writer,
    around: (answer) => recordedAnswerer(answer, { writer, now }),
    lines: () => feedbackLines(writer),
    informational: { feedback: () => (writer.status().isWriting ? "ok" : "feedback-unusable") },
    start: async () => {
      pruning = setInterval(() => void writer.prune(), 60 * 60 * 1_000).unref();
      await writer.prune();
    },
    close: async (endsInMs, signal) => {
      clearInterval(pruning);
      await writer.close(Math.max(endsInMs, leastPatienceMs), signal);
    },
  };
}

/** Time for the latest answers if a shutdown allows none. */
const leastPatienceMs = 1_000;

/**
 * Hands each answer to the writer before its end reaches the client, so that a rating finds it. The
 * answer does not wait for the write.
 */
function recordedAnswerer(
  answer: AnswerQuestion,
  { writer, now }: { readonly writer: FeedbackWriter; readonly now: () => Date },
): AnswerQuestion {
  const keep = (request: Question, ended: AnswerOutcome): AnswerOutcome => {
    if (ended.state !== "answered" || ended.outcome.trace === null) return ended;
    const { id, user = null, apiKey = null, conversation = null } = request;
    const { model, question, history } = request;
    const { answer: text, version, trace } = ended.outcome;
    const asking = { id, at: now(), user, apiKey, conversation, model: model.id };
    writer.keep({ ...asking, version, question, history, answer: text, trace });
    return ended;
  };
  return (request) => onceEnded(answer(request), (ended) => keep(request, ended));
}
