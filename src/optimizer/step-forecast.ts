import type { Budget, Deadline, Usage } from "./budget/index.ts";
import { totalUsage } from "./budget/index.ts";
import type { OptimizerRun, StepNeed } from "./optimizer.ts";
import type { StepTally } from "./step-tally.ts";

/** Whether a step may begin: exact for what is counted, by what steps took so far for the rest. */
export function stepForecast({
  budget,
  repetitions,
  tally,
  deadline,
  outside,
}: {
  readonly budget: Budget;
  /** Metric calls of one rollout. */
  readonly repetitions: number;
  readonly tally: StepTally;
  readonly deadline: Deadline;
  readonly outside: OptimizerRun["outside"];
}): OptimizerRun["fits"] {
  const { lmCalls = Infinity, tokens = Infinity, costUsd, wallTimeMs } = budget;
  const { metricCalls: cap = Infinity, reflectionCalls: reflectionCap = Infinity } = budget;

  const fitsByEstimate = ({ metricCalls: more, reflections }: StepNeed): boolean => {
    if (lmCalls === Infinity && tokens === Infinity) return true;
    const { spent, used } = tally;
    const { reflection: _reflection, ...ofRollouts } = used;
    const rollout = meanOf(totalUsage(ofRollouts), spent.metricCalls);
    const reflection = meanOf(used.reflection, used.reflection.calls);
    const expected = {
      calls: more * rollout.calls + reflections,
      tokens: more * rollout.tokens + reflections * reflection.tokens,
    };
    return spent.lmCalls + expected.calls <= lmCalls && spent.tokens + expected.tokens <= tokens;
  };

  /** What time and money allow cannot be asked again by a resumed run. */
  const fitsOutside = ({ metricCalls: more }: StepNeed): boolean => {
    if (costUsd === undefined && wallTimeMs === undefined) return true;
    return outside(({ costUsd: billed }) => {
      const spentUsd = billed ?? 0;
      const expectedUsd = (spentUsd / Math.max(1, tally.spent.metricCalls)) * more;
      return spentUsd + expectedUsd <= (costUsd ?? Infinity) && deadline.leftMs() > 0;
    });
  };

  return (rollouts) => {
    const need = { ...rollouts, metricCalls: rollouts.metricCalls * repetitions };
    const { metricCalls, reflectionCalls } = tally.spent;
    return (
      metricCalls + need.metricCalls <= cap &&
      reflectionCalls + need.reflections <= reflectionCap &&
      fitsByEstimate(need) &&
      fitsOutside(need)
    );
  };
}

function meanOf(
  { calls, promptTokens, completionTokens }: Usage,
  count: number,
): { readonly calls: number; readonly tokens: number } {
  const of = Math.max(1, count);
  return { calls: calls / of, tokens: (promptTokens + completionTokens) / of };
}
