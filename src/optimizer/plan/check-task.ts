import type { Example, SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkInputs } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import { checkBudgetSize } from "../budget/check-budget-size.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { checkGold } from "./check-gold.ts";

/**
 * Throws, before anything is spent, for a split without examples, with repeated ids or with none
 * that the objective can score (`dataset-invalid`), for inputs that the program cannot take
 * (`input-invalid`), for gold that does not fit (`study-invalid`), and for a budget smaller than
 * one evaluation of the seed (`budget-exhausted`).
 */
export function checkTask<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { train, val }: Pick<SearchSpace, "train" | "val">,
  { budget, repetitions }: { readonly budget: Budget; readonly repetitions: number },
): void {
  const { program, trainset, objective } = task;
  for (const split of ["train", "val"] as const) {
    checkSplit(program, trainset.splits[split], split, trainset.name);
  }
  for (const [split, { length }] of Object.entries({ train, val })) {
    if (length > 0) continue;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Objective \`${objective.name}\` applies to no example of split \`${split}\` of trainset \`${trainset.name}\``,
      expected: "examples in `train` and in `val` on which it can score an output",
      fix: "Check the labels of the examples, or take another objective.",
    });
  }
  checkGold(task);
  // A rollout takes at least one call, and a call at least one token.
  checkBudgetSize(budget, ["metricCalls", "lmCalls", "tokens"], {
    examples: val.length,
    repetitions,
    purpose: ` by \`${objective.name}\``,
  });
}

function checkSplit<TInput, TLabels>(
  program: OptimizerTask<TInput>["program"],
  examples: readonly Example<TInput, TLabels>[],
  split: SplitName,
  trainset: string,
): void {
  const ids = new Set(examples.map(({ id }) => id));
  if (ids.size !== examples.length || examples.length === 0) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Split \`${split}\` of trainset \`${trainset}\` cannot be used for optimization`,
      expected: "examples in `train` for feedback and in `val` for selection, with unique ids",
      got: examples.length === 0 ? "no examples" : "repeated ids",
      fix: "Create the trainset with both splits.",
    });
  }
  checkInputs(program, examples, split);
}
