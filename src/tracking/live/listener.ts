import type { Evaluation, EvaluationEvent } from "../../evaluate/index.ts";
import type { JudgedRun, OptimizerEvent, OptimizerProgress } from "../../optimizer/index.ts";
import type { TrackedAnswer } from "../tracked/answer-trace.ts";
import type { EvaluationAbout } from "../tracked/evaluation-run.ts";
import type { TrackedArtifact } from "../tracked/tracked-run.ts";
import type { Delivery } from "./courier.ts";

/**
 * Where runs are shown while they go on. Its listeners return at once and never throw; what they
 * send, they send in the background.
 */
export interface Tracker {
  /** For `optimize()`: give it `onEvent` and `onRun`. */
  search(options?: SearchListenerOptions): SearchListener;
  /** For `evaluate()`: give it `onEvent`. */
  evaluation(about: Omit<EvaluationAbout, "hasContents">): EvaluationListener;
  /** For `chatServer()`: give it as one of `trackers`. */
  answers(options?: AnswerListenerOptions): AnswerListener;
}

export interface SearchListenerOptions {
  /**
   * The run's own: keeps traces and the run's name on the server, so that a resumed run, or the
   * command `espalier mlflow`, completes what was sent. @default none: a run in memory
   */
  readonly runFolder?: string;
}

interface Ending {
  /**
   * Waits for what is left, for so long at most.
   *
   * @default 5_000
   */
  end(patienceMs?: number): Promise<Delivery>;
}

export interface SearchListener extends Ending {
  readonly onEvent: (event: OptimizerEvent | OptimizerProgress) => void;
  readonly onRun: (run: JudgedRun) => void;
  /** The run has ended, and has these files. */
  finish(artifacts?: readonly TrackedArtifact[]): void;
}

export interface EvaluationListener extends Ending {
  readonly onEvent: (event: EvaluationEvent) => void;
  /** @param evaluation `null` if it was stopped */
  finish(evaluation: Evaluation | null): void;
}

export interface AnswerListenerOptions {
  /** Share of answers that are sent, in [0, 1]. @default 1 */
  readonly sample?: number;
  /** Changes each text before it is sent. @default as it is */
  readonly redacted?: (text: string) => string;
}

export interface AnswerListener extends Ending {
  readonly answered: (answer: TrackedAnswer) => void;
  readonly rated: (id: string, rating: TrackedRating) => void;
  /** So far. */
  status(): AnswerStatus;
}

export interface AnswerStatus {
  readonly name: string;
  readonly waiting: number;
  readonly sent: number;
  /** Answers and ratings that found the queue full, or were left at the end. */
  readonly lost: number;
}

export interface TrackedRating {
  readonly rating: "up" | "down";
  readonly comment: string | null;
  readonly correction: string | null;
}
