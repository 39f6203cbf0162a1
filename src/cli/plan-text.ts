import type { OptimizerPlan, PlannedCosts, PlannedRole } from "../optimizer/index.ts";

/** What a budget allows, for a person. */
export function planText(plan: OptimizerPlan, testSize: number, repeats: number): string {
  const { seedEvaluation, perProposal, proposals, fullValidations, calls, costs, warnings } = plan;
  const { refused, accepted } = perProposal;
  return [
    `plan: ${seedEvaluation} metric calls for the seed, then ${refused} or more for a proposal that is refused and up to ${accepted} for one that is accepted`,
    ...(proposals === null
      ? ["no cap bounds the proposals before the run"]
      : [
          `proposals: at least ${proposals.least}, about ${proposals.expected} (an estimate: half are accepted, no score is inherited), at most ${proposals.most}`,
          `evaluations on all of val: at most ${fullValidations ?? 1}, the seed's included`,
        ]),
    ...(calls === null
      ? []
      : [
          `calls, an estimate: ${calls.student} of the program's LM, ${calls.reflection} of the reflection LM`,
        ]),
    ...(costs === undefined ? [] : costsText(costs)),
    `outside the budget: seed and result on the ${testSize} examples of test${repeats === 1 ? "" : `, ${repeats} times each`}`,
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join("\n");
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
