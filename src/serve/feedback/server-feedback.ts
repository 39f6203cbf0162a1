import type { AnswerOutcome, AnswerQuestion, Question } from "../answer/answer-question.ts";
import { onceEnded } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { FeedbackWriter } from "./feedback-writer.ts";
import { counterBy, gauge, gaugeBy } from "../../internal/index.ts";
import type { FeedbackStore } from "./open-feedback.ts";
import type { Tally } from "./feedback-tables.ts";
import { feedbackTables, feedbackFormat } from "./feedback-tables.ts";
import type { Proportion } from "../../statistics/index.ts";
import { wilsonInterval } from "../../statistics/index.ts";
import { readSqlite } from "../../storage/index.ts";

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
      await writer.close(Math.max(endsInMs, minPatienceMs), signal);
    },
  };
}

/** Time for the latest answers if a shutdown allows none. */
const minPatienceMs = 1_000;

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

/** State of the stored feedback after the last batch, in Prometheus' text format; reads no file. */
function feedbackLines(writer: FeedbackWriter): readonly string[] {
  const { tallies, unkept, waiting, isWriting } = writer.status();
  const rated = tallies.map(preferenceOf);
  const ratings = rated.flatMap(({ model, version, up, down }) => [
    { labels: { model, version, rating: "up" }, value: up },
    { labels: { model, version, rating: "down" }, value: down },
  ]);
  const shares = rated.flatMap(({ model, version, preference }) =>
    preference === null
      ? []
      : (["low", "ratio", "high"] as const).map((bound) => ({
          labels: { model, version, bound },
          value: preference[bound],
        })),
  );
  const lost = Object.entries(unkept).map(([reason, value]) => ({ labels: { reason }, value }));
  return [
    ...gaugeBy({ name: "espalier_feedback_ratings", help: "Stored ratings." }, ratings),
    ...gaugeBy(
      {
        name: "espalier_feedback_preference",
        help: "Share of positive ratings, with its 95 % Wilson interval.",
      },
      shares,
    ),
    ...counterBy(
      {
        name: "espalier_feedback_unkept_total",
        help: "Answers that could not be stored, by reason.",
      },
      lost,
    ),
    ...gauge({ name: "espalier_feedback_waiting", help: "Answers not yet written." }, waiting),
    ...gauge(
      { name: "espalier_feedback_writing", help: "1 if the last write to the file succeeded." },
      isWriting ? 1 : 0,
    ),
  ];
}

/** Ratings of one version of a model. */
export interface Preference extends Tally {
  /** Share of the ratings that are `up`; `null` without ratings. */
  readonly preference: Proportion | null;
}

function preferenceOf(tally: Tally): Preference {
  const { up, down } = tally;
  return { ...tally, preference: wilsonInterval(up, up + down) };
}

/**
 * The ratings of each version, from a file that a server may be writing; nothing in it changes.
 *
 * @throws EspalierError `file-missing`, `feedback-unusable`
 */
export function readPreferences(path: string): readonly Preference[] {
  using database = readSqlite(path, feedbackFormat);
  return feedbackTables(database, []).tallies().map(preferenceOf);
}
