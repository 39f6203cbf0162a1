import type { Budget, OptimizerPlan, PlannedCosts, PlannedRole } from "../../optimizer/index.ts";
import { textOfLines } from "../terminal/text-of-lines.ts";

/** What a budget allows, for a person. */
export function planText(
  plan: OptimizerPlan,
  {
    budget,
    testSize,
    repeats,
  }: { readonly budget: Budget; readonly testSize: number; readonly repeats: number },
): string {
  const { seedEvaluation, perProposal, calls, costs, warnings } = plan;
  return textOfLines([
    `plan: ${seedEvaluation} metric calls for the seed, then ${perProposalText(perProposal)}`,
    ...estimatedCaps(plan, budget),
    ...proposalsText(plan, budget),
    ...(calls === null
      ? []
      : [
          `calls, an estimate: ${calls.student} of the program's LM, ${calls.reflection} of the reflection LM; what judges and rerankers ask of an LM comes on top, and counts in the caps`,
        ]),
    ...(costs === undefined ? [] : costsText(costs)),
    ...testText(plan, testSize, repeats),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

function perProposalText({ refused, accepted }: OptimizerPlan["perProposal"]): string {
  return refused === accepted
    ? `${accepted} for each proposal`
    : `${refused} or more for a proposal that is refused and up to ${accepted} for one that is accepted`;
}

/** Caps that are not in calls: what they allow is known only in the run. */
function estimatedCaps({ afforded }: OptimizerPlan, { wallTimeMs }: Budget): readonly string[] {
  return [
    ...(afforded === undefined
      ? []
      : [
          `the cap of ${afforded.limit} ${units[afforded.cap]} is the tightest: about ${afforded.metricCalls} metric calls, an estimate that all of the following goes by`,
          ...(afforded.reserved === 0
            ? []
            : [
                `of it ${Number(afforded.reserved.toPrecision(2))} stay free for a call with the longest reply that it allows`,
              ]),
        ]),
    ...(wallTimeMs === undefined
      ? []
      : [
          `the cap of ${Number((wallTimeMs / 60_000).toFixed(2))} minutes is not in this plan: how long a call takes is known only in the run`,
        ]),
  ];
}

const units = { lmCalls: "LM calls", tokens: "tokens", costUsd: "US dollars" } as const;

function proposalsText(
  { perProposal, proposals, fullValidations }: OptimizerPlan,
  { lmCalls, tokens, costUsd }: Budget,
): readonly string[] {
  if (proposals === null) return ["no cap bounds the proposals before the run"];
  const { least, expected, most } = proposals;
  // Whether one of these ends the run before the others is itself an estimate.
  const isExact = [lmCalls, tokens, costUsd].every((cap) => cap === undefined);
  const about = isExact ? "" : "about ";
  const whole = fullValidations ?? 1;
  const inFull =
    whole <= 1 + least ? "" : `, ${about}${1 + least} if each runs all of it and is accepted`;
  const validations = `evaluations on all of val: ${about}at most ${whole}, the seed's included${inFull}`;
  if (least === most) return [`proposals: ${about}${most}`, validations];
  return [
    `proposals: ${about}at least ${least} if each takes the most, about ${expected} (an estimate: half are accepted, no score is inherited), ${about}at most ${most} if each is refused after ${perProposal.refused}`,
    validations,
  ];
}

/** Two evaluations, which no cap holds for. */
function testText(
  { perRollout }: OptimizerPlan,
  testSize: number,
  repeats: number,
): readonly string[] {
  const times = repeats === 1 ? "" : `, ${repeats} times each`;
  const what = `outside the budget: seed and result on the ${testSize} examples of test${times}`;
  if (perRollout === undefined) return [what];
  const { calls, promptTokens, completionTokens, usd } = perRollout;
  const rollouts = 2 * testSize * repeats;
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

function costsText({ student, reflection, usd, notRendered }: PlannedCosts): readonly string[] {
  return [
    `tokens, an estimate from the prompts of a few examples: program ${tokensText(student)}; reflection ${tokensText(reflection)}`,
    ...(notRendered.length === 0
      ? []
      : [
          `the prompts of ${notRendered.join(", ")} depend on earlier steps, and are taken to be as long as the others`,
        ]),
    ...(usd === null
      ? []
      : [
          `money, an estimate: about ${usd.typical.toFixed(2)} US dollars, ${usd.most.toFixed(2)} if every reply is as long as it may be`,
        ]),
  ];
}

function tokensText({ promptTokens, completionTokens: { typical, most } }: PlannedRole): string {
  return `${promptTokens} prompt and ${typical} completion (at most ${most})`;
}
