import type { Example } from "../../contract/index.ts";
import type { PriceTable } from "../budget/index.ts";
import type { PlannedCosts, PlannedRole } from "../contract/optimizer-plan.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";
import { rolloutEstimate, studentCosts, unrenderedEstimate, usdOf } from "./plan-costs.ts";

/**
 * What it takes to run a program on examples: one call per predictor and run; judges and rerankers
 * that ask an LM come on top.
 */
export type EvaluationPlan = PlannedRole & Pick<PlannedCosts, "usd" | "notRendered">;

/**
 * Estimates from the prompts of the first few examples, as `planOptimization` does, without making
 * a call. Where no prompt can be rendered from an example's inputs alone, from what it holds in any
 * case.
 */
export function planEvaluation<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    examples,
    runs = examples.length,
    prices,
  }: {
    readonly examples: readonly Example<TInput, TLabels>[];
    /** Of the program, in total. @default one for each example */
    readonly runs?: number;
    readonly prices?: PriceTable;
  },
): EvaluationPlan {
  const { trainset } = task;
  const splits = { ...trainset.splits, train: examples };
  const rollout =
    rolloutEstimate({ ...task, trainset: { ...trainset, splits } }) ??
    unrenderedEstimate(task, examples);
  const student = studentCosts(rollout.calls * runs, rollout);
  return { ...student, usd: usdOf({ student }, prices), notRendered: rollout.notRendered };
}
