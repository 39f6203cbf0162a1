import type { Budget, OptimizerPlan, PlannedCosts, PlannedRole } from "../../optimizer/index.ts";
import { searchText } from "../terminal/search-text.ts";
import { joinLines } from "../terminal/terminal.ts";

/** Formats what a budget allows. */
export function planText(
  plan: OptimizerPlan,
  { budget, ...test }: { readonly budget: Budget } & PlannedReport,
): string {
  const { searches = [], leftOut, seedEvaluation, proposals, calls, costs, warnings } = plan;
  return joinLines([
    ...searches.map(searchText),
    ...(leftOut === undefined
      ? []
      : [
          `left out: ${leftOut.train} examples of train and ${leftOut.val} of val, for which no output can be scored`,
        ]),
    `plan: ${seedEvaluation} metric calls for the seed program, then ${proposalsText(proposals)}`,
    ...estimatedCaps(plan, budget),
    ...(calls === null
      ? []
      : [
          `estimated calls: ${calls.student} to the program's LM, ${calls.reflection}${plan.maxReflections === undefined ? "" : ` (at most ${plan.maxReflections})`} to the reflection LM${calls.teacher === undefined ? "" : `, ${calls.teacher} to the teacher`}; LM calls of judges and rerankers are extra and count toward the caps`,
        ]),
    ...(costs === undefined ? [] : costsText(costs)),
    ...testText(plan, test),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

function proposalsText(proposals: number | null): string {
  if (proposals === null) return "as many candidates as the caps allow";
  const candidates = `${proposals} ${proposals === 1 ? "candidate" : "candidates"}`;
  return `about ${candidates} (an estimate)`;
}

/** Caps that do not count metric calls: what they allow is known only during the run. */
function estimatedCaps({ afforded }: OptimizerPlan, { wallTimeMs }: Budget): readonly string[] {
  return [
    ...(afforded === undefined
      ? []
      : [
          `the cap of ${afforded.limit} ${units[afforded.cap]} is the tightest: an estimated ${afforded.metricCalls} metric calls, which these figures assume`,
          ...(afforded.reserved === 0
            ? []
            : [
                `${Number(afforded.reserved.toPrecision(2))} of it is reserved for a call with the longest allowed reply`,
              ]),
        ]),
    ...(wallTimeMs === undefined
      ? []
      : [
          `the plan ignores the cap of ${Number((wallTimeMs / 60_000).toFixed(2))} minutes: how long a call takes is known only during the run`,
        ]),
  ];
}

const units = { lmCalls: "LM calls", tokens: "tokens", costUsd: "US dollars" } as const;

interface PlannedReport {
  readonly testSize: number;
  readonly repeats: number;
  /** Examples that the seed runs again at the end, for drift. */
  readonly repeated: number;
}

/** The two evaluations on test, which no cap limits. */
function testText(
  { perRollout }: OptimizerPlan,
  { testSize, repeats, repeated }: PlannedReport,
): readonly string[] {
  const times = repeats === 1 ? "" : `, ${repeats} times each`;
  const again = repeated === 0 ? "" : `, and the seed program again on ${repeated} of them`;
  const what = `outside the budget: the report on test runs the seed program and the result on its ${testSize} examples${times}${again}`;
  if (perRollout === undefined) return [what];
  const { calls, promptTokens, completionTokens, usd } = perRollout;
  const rollouts = 2 * testSize * repeats + repeated;
  const tokens = tokensText({
    calls: rollouts * calls,
    promptTokens: rollouts * promptTokens,
    completionTokens: {
      typical: rollouts * completionTokens.typical,
      most: rollouts * completionTokens.most,
    },
  });
  const money =
    usd === null
      ? ""
      : `, ${(rollouts * usd.typical).toFixed(2)} US dollars (at most ${(rollouts * usd.most).toFixed(2)})`;
  return [what, `  about ${rollouts * calls} calls, ${tokens}${money}`];
}

function costsText({
  student,
  reflection,
  teacher,
  usd,
  notRendered,
}: PlannedCosts): readonly string[] {
  return [
    `tokens, estimated from the prompts of a few examples: program ${tokensText(student)}; reflection ${tokensText(reflection)}${teacher === undefined ? "" : `; teacher ${tokensText(teacher)}`}`,
    ...(notRendered.length === 0
      ? []
      : [
          `the prompts of ${notRendered.join(", ")} depend on earlier steps; the estimate assumes that they are as long as the others`,
        ]),
    ...(usd === null
      ? []
      : [
          `estimated cost: about ${usd.typical.toFixed(2)} US dollars, ${usd.most.toFixed(2)} if every reply has the maximum length`,
        ]),
  ];
}

function tokensText({ promptTokens, completionTokens: { typical, most } }: PlannedRole): string {
  return `${promptTokens} prompt and ${typical} completion (at most ${most})`;
}
