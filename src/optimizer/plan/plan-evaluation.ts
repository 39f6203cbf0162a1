import type { Example } from "../../contract/index.ts";
import type { PriceTable } from "../budget/index.ts";
import type { OptimizerPlan, PlannedRole } from "../contract/optimizer-plan.ts";
import { predictorCount } from "../candidate/predictor-count.ts";
import { programSpace } from "../task/program-space.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";
import { rolloutEstimate, studentCosts, usdOf } from "./plan-costs.ts";

/** What it takes to run a program once on each example. Estimated, without making a call. */
export interface EvaluationPlan {
  /** One call per predictor and example; judges and rerankers come on top. */
  readonly calls: number;
  /** Absent if no prompt can be rendered from an example's inputs alone. */
  readonly costs?: PlannedRole & { readonly usd: NonNullable<OptimizerPlan["perRollout"]>["usd"] };
}

/** Estimates from the prompts of the first few examples, as `planOptimization` does. */
export function planEvaluation<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  {
    examples,
    prices,
  }: { readonly examples: readonly Example<TInput, TLabels>[]; readonly prices?: PriceTable },
): EvaluationPlan {
  const { trainset } = task;
  const splits = { ...trainset.splits, train: examples };
  const rollout = rolloutEstimate({ ...task, trainset: { ...trainset, splits } });
  if (rollout === null) {
    const predictors = predictorCount(programSpace(task).components);
    return { calls: predictors * examples.length };
  }
  const calls = rollout.calls * examples.length;
  const student = studentCosts(calls, rollout);
  return { calls, costs: { ...student, usd: usdOf({ student }, prices) } };
}
