import type { Gold, Metric, Trainset } from "../../contract/index.ts";
import type { TunableProgram } from "../../program/index.ts";

/** What is optimized, such as a study. */
export interface OptimizerTask<TInput = unknown, TOutput = unknown, TLabels = unknown> {
  readonly program: TunableProgram<TInput, TOutput>;
  /** `train` gives feedback, `val` selects; `test` is never touched. */
  readonly trainset: Trainset<TInput, TLabels>;
  readonly objective: Metric<TInput, TOutput, TLabels>;
  /** Only of examples of `train`. @default none */
  readonly gold?: Gold<TInput, TLabels>;
}
