import { mapValues } from "../../internal/index.ts";
import type { Budget, OptimizerPlan, PriceTable } from "../../optimizer/index.ts";
import { costOfRoles, planEvaluation, planOptimization } from "../../optimizer/index.ts";
import type { DryRow } from "./dry-run-text.ts";
import type { RehearsedRuns } from "./rehearsed-runs.ts";
import type { PreparedRow } from "./row/prepared-row.ts";
import { ownBudget } from "./row/prepared-row.ts";
import { tighter } from "./row/row-budget.ts";
import type { Spent } from "./row/row-record.ts";

/** What a row would take, without its name; hours follow from a rate. */
export interface DryAmount extends Omit<DryRow, "row" | "hours"> {
  /** By measurement; `undefined` if there is none. */
  readonly seconds: number | undefined;
}

export interface DryAmountOptions {
  /** The experiment's caps. */
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  /** What the row's score took on a sample. */
  readonly measured: Spent | undefined;
  readonly rehearsed: RehearsedRuns | undefined;
}

type Costs = Pick<DryAmount, "calls" | "promptTokens" | "completionTokens" | "usd">;

/**
 * What scoring a row takes, and its optimization before: by a measured run, or else by rehearsed
 * ones, or else by one call of each predictor.
 */
export function dryAmount(row: PreparedRow, options: DryAmountOptions): DryAmount {
  const { budget, prices, measured, rehearsed } = options;
  const { study, examples, optimizer } = row;
  const own = optimizer === undefined ? undefined : tighter(ownBudget(row), budget);
  const plan =
    optimizer === undefined || own === undefined
      ? undefined
      : planOptimization(study, { optimizer, budget: own, ...(prices && { prices }) });
  const searched = own?.metricCalls ?? (plan === undefined ? 0 : runsOf(plan, row));
  const perRun = callsOfRun(options);
  const affordable = perRun > 0 ? Math.floor((own?.lmCalls ?? Infinity) / perRun) : Infinity;
  const runs = examples.length + Math.min(searched, affordable);
  const student = costsOf(row, runs, options);
  const reflection = {
    calls: plan?.calls?.reflection ?? 0,
    promptTokens: plan?.costs?.reflection.promptTokens ?? 0,
    completionTokens: plan?.costs?.reflection.completionTokens.typical ?? 0,
  };
  return {
    basis: measured !== undefined ? "measured" : rehearsed !== undefined ? "rehearsal" : "prompts",
    examples: examples.length,
    metricCalls: runs,
    calls: student.calls + reflection.calls,
    promptTokens: student.promptTokens + reflection.promptTokens,
    completionTokens: student.completionTokens + reflection.completionTokens,
    usd: student.usd === null ? null : student.usd + costOfRoles({ reflection }, prices),
    seconds: measured && (runs / measured.metricCalls) * measured.seconds,
  };
}

/** Of a search without a cap on them; those of a program that asks no LM are counted otherwise. */
function runsOf({ calls, fullValidations }: OptimizerPlan, { study }: PreparedRow): number {
  const predictors = Object.keys(study.program.predictors).length;
  const { student = 0, teacher = 0 } = calls ?? {};
  if (predictors > 0) return Math.round((student + teacher) / predictors);
  return (fullValidations ?? 0) * study.trainset.splits.val.length;
}

/** LM calls of one run where they are known better than by the plan; else 0. */
function callsOfRun({ measured, rehearsed }: DryAmountOptions): number {
  if (measured !== undefined) return measured.lmCalls / measured.metricCalls;
  if (rehearsed === undefined) return 0;
  return (
    Object.values(rehearsed.byRole).reduce((sum, { calls }) => sum + calls, 0) / rehearsed.runs
  );
}

function costsOf(
  { study, examples }: PreparedRow,
  runs: number,
  { prices, measured, rehearsed }: DryAmountOptions,
): Costs {
  if (measured !== undefined) {
    const times = runs / measured.metricCalls;
    return {
      calls: Math.round(times * measured.lmCalls),
      promptTokens: Math.round(times * measured.promptTokens),
      completionTokens: Math.round(times * measured.completionTokens),
      usd: measured.usd && times * measured.usd,
    };
  }
  if (rehearsed === undefined) {
    const plan = planEvaluation(study, { examples, runs, ...(prices && { prices }) });
    const { typical } = plan.completionTokens;
    return { ...plan, completionTokens: typical, usd: plan.usd && plan.usd.typical };
  }
  const times = runs / rehearsed.runs;
  const byRole = mapValues(rehearsed.byRole, ({ calls, promptTokens, completionTokens }) => ({
    calls: Math.round(times * calls),
    promptTokens: Math.round(times * promptTokens),
    completionTokens: Math.round(times * completionTokens),
  }));
  const inAll = (of: "calls" | "promptTokens" | "completionTokens"): number =>
    Object.values(byRole).reduce((sum, role) => sum + role[of], 0);
  return {
    calls: inAll("calls"),
    promptTokens: inAll("promptTokens"),
    completionTokens: inAll("completionTokens"),
    usd: prices === undefined ? null : costOfRoles(byRole, prices),
  };
}
