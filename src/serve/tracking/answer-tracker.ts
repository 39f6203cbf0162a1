import type { Trace, Turn } from "../../contract/index.ts";

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

/** What became of what was to be sent. */
export interface Delivery {
  readonly isComplete: boolean;
  /** Why not everything was sent; absent if it was a matter of time alone. */
  readonly problem?: string;
}
