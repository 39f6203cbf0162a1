import type { BudgetEnd } from "./budget-end.ts";
import type { Budget, Cap, Deadline, Usage } from "../budget/index.ts";
import { totalUsage } from "../budget/index.ts";
import type { OptimizerRun, StepNeed } from "../contract/optimizer.ts";
import type { StepTally } from "./step-tally.ts";

/** Whether a step may begin: exact for what is counted, by what steps took so far for the rest. */
export function stepForecast({
  budget,
  repetitions,
  tally,
  deadline,
  outside,
  ending,
}: {
  readonly budget: Budget;
  /** Metric calls of one rollout. */
  readonly repetitions: number;
  readonly tally: StepTally;
  readonly deadline: Deadline;
  readonly outside: OptimizerRun["outside"];
  readonly ending: BudgetEnd;
}): OptimizerRun["fits"] {
  const { lmCalls = Infinity, tokens = Infinity, costUsd, wallTimeMs } = budget;
  const { metricCalls: cap = Infinity, reflectionCalls: reflectionCap = Infinity } = budget;

  const unfitCounted = ({ metricCalls: more, reflections }: StepNeed): Cap | null => {
    const { metricCalls, reflectionCalls } = tally.spent;
    if (metricCalls + more > cap) return "metricCalls";
    return reflectionCalls + reflections > reflectionCap ? "reflectionCalls" : null;
  };

  const unfitByEstimate = ({ metricCalls: more, reflections }: StepNeed): Cap | null => {
    if (lmCalls === Infinity && tokens === Infinity) return null;
    const { spent, used } = tally;
    const { reflection: _reflection, ...ofRollouts } = used;
    const rollout = meanOf(totalUsage(ofRollouts), spent.metricCalls);
    const reflection = meanOf(used.reflection, used.reflection.calls);
    const expected = {
      calls: more * rollout.calls + reflections,
      tokens: more * rollout.tokens + reflections * reflection.tokens,
    };
    if (spent.lmCalls + expected.calls > lmCalls) return "lmCalls";
    return spent.tokens + expected.tokens > tokens ? "tokens" : null;
  };

  /** What time and money allow cannot be asked again by a resumed run. */
  const unfitOutside = ({ metricCalls: more }: StepNeed): Cap | null => {
    if (costUsd === undefined && wallTimeMs === undefined) return null;
    const fits = outside(({ costUsd: billed }): Cap | true => {
      const spentUsd = billed ?? 0;
      const expectedUsd = (spentUsd / Math.max(1, tally.spent.metricCalls)) * more;
      if (spentUsd + expectedUsd > (costUsd ?? Infinity)) return "costUsd";
      return deadline.leftMs() > 0 || "wallTimeMs";
    });
    return fits === true ? null : fits;
  };

  return (rollouts) => {
    const need = { ...rollouts, metricCalls: rollouts.metricCalls * repetitions };
    const unfit = unfitCounted(need) ?? unfitByEstimate(need) ?? unfitOutside(need);
    if (unfit !== null) ending.noteUnfit(unfit);
    return unfit === null;
  };
}

function meanOf(
  { calls, promptTokens, completionTokens }: Usage,
  count: number,
): { readonly calls: number; readonly tokens: number } {
  const of = Math.max(1, count);
  return { calls: calls / of, tokens: (promptTokens + completionTokens) / of };
}
