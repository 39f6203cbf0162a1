import { componentText } from "./candidate/components.ts";
import type { Component, Json, LanguageModel, LmRole } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { checkCount } from "../internal/index.ts";
import { checkBudgetSize } from "./budget/budget.ts";
import { checkBudget } from "./budget/index.ts";
import { textEvaluator } from "./evaluation/index.ts";
import type { OptimizationResult } from "./engine/optimization-result.ts";
import type { Optimizer } from "./contract/optimizer.ts";
import { askedRoles, repeatedPlan } from "./plan/plan-optimization.ts";
import { runOptimizer } from "./engine/run-optimizer.ts";
import type { RunnerOptions } from "./engine/run-description.ts";
import { describedRun, plainRunDescription } from "./engine/run-description.ts";
import { gepa } from "./gepa/gepa.ts";
import type { SearchSpace } from "./task/search-space.ts";
import type { TextTask } from "./task/text-task.ts";
import { describeTextTask } from "./task/text-task.ts";

export interface OptimizeTextsOptions extends Omit<RunnerOptions, "optimizer"> {
  /** @default gepa() */
  readonly optimizer?: Optimizer;
  /** @default the optimizer's own; may be absent if the optimizer asks none */
  readonly reflectionLm?: LanguageModel;
}

export interface TextOptimizationResult extends Omit<OptimizationResult, "program"> {
  /** The best texts, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Optimizes the texts of anything that can be judged: the same search, journal and budgets as
 * `optimize()`, without a program.
 *
 * Rejects like `optimize()`, and with `option-invalid` if the optimizer asks a reflection LM and
 * there is none. Report a fault by throwing: it ends the run, since a task's own function is not
 * retried.
 *
 * @example
 * const { texts } = await optimizeTexts(
 *   { name: "greeting", version: "1", texts: { greeting }, train, val, evaluate },
 *   { budget: { metricCalls: 200 }, reflectionLm },
 * );
 */
export async function optimizeTexts<TExample extends Json>(
  task: TextTask<TExample>,
  given: OptimizeTextsOptions,
): Promise<TextOptimizationResult> {
  const { optimizer = gepa(), concurrency = 16 } = given;
  const options = { ...given, optimizer };
  const { reflectionLm = optimizer.reflectionLm } = options;
  const described = describedRun(options);
  const { budget, prices, repetitions } = described;
  const space = textSpace(task);
  const roles = askedRoles(optimizer, ["reflection"]);
  checkReflection(optimizer, roles, reflectionLm);
  checkBudget(budget, { prices, roles, endsByItself: optimizer.endsByItself });
  checkCount("repetitions", repetitions);
  checkExamples(task, space);
  const plan = repeatedPlan(repetitions, budget, (cap) => optimizer.doPlan(space, cap));
  // The task's runs are not LM calls.
  checkBudgetSize(budget, ["metricCalls"], { ...plan, repetitions, purpose: "" });
  const found = await runOptimizer(
    {
      space,
      plan,
      settings: described,
      run: plainRunDescription(described, {
        task: describeTextTask(task),
        reflectionLm: reflectionLm?.identity,
      }),
      roles,
      ...(reflectionLm && { reflectionLm }),
      evaluatorOf: () => textEvaluator(task, concurrency),
    },
    options,
  );
  const texts = Object.fromEntries(
    found.components.map((component) => [component.path, componentText(component)]),
  );
  return Object.freeze({ ...found, texts: Object.freeze(texts) });
}

function checkReflection(
  { name }: Optimizer,
  roles: readonly LmRole[],
  reflectionLm: LanguageModel | undefined,
): void {
  if (reflectionLm !== undefined || roles.length === 0) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `Optimizer \`${name}\` asks a reflection LM for texts, but optimizeTexts() has none`,
    expected:
      "`reflectionLm`, or an optimizer that asks none, such as gepa() with customProposer()",
    got: "neither",
    fix: "Pass `reflectionLm`. If your proposer or optimizer calls no LM, set `asksReflection: false`.",
  });
}

function textSpace<TExample extends Json>({
  name,
  texts,
  descriptions = {},
  train,
  val,
  aggregate,
}: TextTask<TExample>): SearchSpace {
  const trainIds = Object.keys(train);
  return {
    name,
    components: Object.entries(texts).map(([path, value]): Component => {
      return { kind: "instruction", path, value };
    }),
    train: trainIds,
    val: (val as object) === train ? trainIds : Object.keys(val),
    isMean: aggregate === undefined,
    labelsOf: (exampleId) => train[exampleId],
    describe: ({ path }) => descriptions[path] ?? `The text \`${path}\` of \`${name}\`.`,
  };
}

function checkExamples(task: { readonly name: string }, { train, val }: SearchSpace): void {
  if (train.length > 0 && val.length > 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Text task \`${task.name}\` cannot be optimized`,
    expected: "examples in `train` for feedback and in `val` for selection",
    got: `${train.length} and ${val.length}`,
  });
}
