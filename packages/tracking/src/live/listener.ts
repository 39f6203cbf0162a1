import type { Evaluation, EvaluationEvent } from "../../../../src/evaluate/index.ts";
import type {
  JudgedRun,
  OptimizerEvent,
  OptimizerProgress,
} from "../../../../src/optimizer/index.ts";
import type { AnswerTracker, Delivery } from "../../../../src/serve/index.ts";
import type { EvaluationAbout } from "../tracked/evaluation-run.ts";
import type { TrackedArtifact } from "../tracked/tracked-run.ts";

/**
 * Where runs are shown while they go on, and, as one of the `trackers` of `chatServer()`, a
 * server's answers. Its listeners return at once and never throw; what they send, they send in the
 * background.
 */
export interface Tracker extends AnswerTracker {
  /** For `optimize()`: give it `onEvent` and `onRun`. */
  search(options?: SearchListenerOptions): SearchListener;
  /** For `evaluate()`: give it `onEvent`. */
  evaluation(about: Omit<EvaluationAbout, "hasContents">): EvaluationListener;
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
