import type { Candidate } from "../../contract/index.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerRun } from "../optimizer.ts";

export interface ToldEvaluation {
  readonly iteration: number;
  /** Id, or "proposed". */
  readonly candidate: number | "proposed";
  readonly components: Candidate;
  readonly split: "train" | "val";
  readonly exampleIds: readonly string[];
}

/** Evaluates, and journals the scores and what was spent. */
export async function evaluateAndTell(
  run: OptimizerRun,
  { iteration, candidate, components, split, exampleIds }: ToldEvaluation,
): Promise<StepEvaluation> {
  const evaluation = await run.evaluate({ candidate: components, split, exampleIds });
  const { value, scores, coverage } = evaluation;
  run.emit({ kind: "candidate-evaluated", iteration, candidate, split, value, scores, coverage });
  tellSpent(run, iteration);
  return evaluation;
}

export function tellSpent(run: OptimizerRun, iteration: number): void {
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
}
