import type { Trace, Turn } from "../contract/index.ts";
import { counterBy, gaugeBy, secretMask } from "../internal/index.ts";
import type { AnswerOutcome, AnswerQuestion, Question } from "./answer/answer-question.ts";
import { onceEnded } from "./answer/answer-question.ts";
import type { ServerLog } from "./telemetry/server-log.ts";

/** Where a server shows its answers: `mlflow()` or `otlp()` of `@espalier/tracking`, or yours. */
export interface AnswerTracker {
  answers(options?: AnswerListenerOptions): AnswerListener;
}

export interface AnswerListenerOptions {
  /** Share of answers that are sent, in [0, 1]. @default 1 */
  readonly sample?: number;
  /** Changes each text before it is sent. @default as it is */
  readonly redacted?: (text: string) => string;
}

/** Its functions return at once and never throw; what they send, they send in the background. */
export interface AnswerListener {
  readonly answered: (answer: TrackedAnswer) => void;
  readonly rated: (id: string, rating: TrackedRating) => void;
  /** So far. */
  status(): AnswerStatus;
  /**
   * Waits for what is left, for so long at most.
   *
   * @default 5_000
   */
  end(patienceMs?: number): Promise<Delivery>;
}

/** An answer that a server gave. */
export interface TrackedAnswer {
  readonly id: string;
  readonly user: string | null;
  readonly conversation: string | null;
  readonly model: string;
  readonly version: string;
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  readonly answer: string;
  readonly trace: Trace;
}

export interface TrackedRating {
  readonly rating: "up" | "down";
  readonly comment: string | null;
  readonly correction: string | null;
}

export interface AnswerStatus {
  readonly name: string;
  readonly waiting: number;
  readonly sent: number;
  /** Answers and ratings that found the queue full, or were left at the end. */
  readonly lost: number;
}

/** What happened to the data that was to be sent. */
export interface Delivery {
  readonly isComplete: boolean;
  /** Why not everything was sent; absent if time simply ran out. */
  readonly problem?: string;
}

/** Shows answers and ratings elsewhere; no answer waits for it, and none fails with it. */
interface ServerTracking {
  around(answer: AnswerQuestion): AnswerQuestion;
  rated(id: string, rating: TrackedRating): void;
  /** In Prometheus' text format. */
  lines(): readonly string[];
  /** Sends the queues within the given time, or a moment at least. */
  close(endsInMs: number): Promise<void>;
}

interface ServerTrackingOptions {
  /** Share of answers, in [0, 1]. */
  readonly sample: number;
  /** Masked in each text, as in a feedback file. */
  readonly secrets: readonly string[];
  readonly log: ServerLog;
}

export function serverTracking(
  trackers: readonly AnswerTracker[],
  { sample, secrets, log }: ServerTrackingOptions,
): ServerTracking {
  const redacted = secretMask(secrets);
  const listeners = trackers.map((tracker) => tracker.answers({ sample, redacted }));
  const show = (request: Question, ended: AnswerOutcome): AnswerOutcome => {
    if (ended.state !== "answered" && ended.state !== "calls") return ended;
    if (ended.outcome.trace === null) return ended;
    const { id, user = null, conversation = null, model, question, history } = request;
    const { version, trace } = ended.outcome;
    const answer = ended.state === "calls" ? JSON.stringify(ended.calls) : ended.outcome.answer;
    const asked = { id, user, conversation, model: model.id, question, history };
    for (const { answered } of listeners) answered({ ...asked, version, answer, trace });
    return ended;
  };
  const statuses = (): {
    readonly labels: { readonly tracker: string };
    readonly value: number;
  }[][] =>
    (["sent", "lost", "waiting"] as const).map((name) =>
      listeners.map((listener) => {
        const status = listener.status();
        return { labels: { tracker: status.name }, value: status[name] };
      }),
    );
  return {
    around: (answer) => (request) => onceEnded(answer(request), (ended) => show(request, ended)),
    rated: (id, rating) => {
      for (const listener of listeners) listener.rated(id, rating);
    },
    lines: () => {
      const [sent = [], lost = [], waiting = []] = statuses();
      return [
        ...counterBy(
          { name: "espalier_tracking_sent_total", help: "Answers and ratings sent to a tracker." },
          sent,
        ),
        ...counterBy(
          {
            name: "espalier_tracking_lost_total",
            help: "Answers and ratings dropped because the queue was full.",
          },
          lost,
        ),
        ...gaugeBy(
          { name: "espalier_tracking_waiting", help: "Answers and ratings not yet sent." },
          waiting,
        ),
      ];
    },
    close: async (endsInMs) => {
      await Promise.all(
        listeners.map(async (listener) => {
          const { isComplete, problem } = await listener.end(Math.max(endsInMs, minPatienceMs));
          const { name, lost } = listener.status();
          if (!isComplete) log("tracking-lost", { tracker: name, lost, problem: problem ?? null });
        }),
      );
    },
  };
}

/** Time for the latest answers if a shutdown allows none. */
const minPatienceMs = 1_000;
