import { defaultSampling } from "../lm/index.ts";
import type { PriceTable } from "./budget/index.ts";
import { costOf } from "./budget/index.ts";
import type { OptimizerPlan, PlannedCosts, PlannedRole } from "./optimizer-plan.ts";
import type { OptimizerTask } from "./optimizer.ts";

/** Tokens that a reply is assumed to have, where nothing is known of it. */
const assumedCompletion = { student: 256, reflection: 512 } as const;

/** Bytes to a token: prose has about four under common vocabularies, other text about three. */
const bytesPerToken = 3;
/** Examples whose prompts are rendered. */
const sampleSize = 5;

/** What a plan's calls cost, from the prompts of a few examples of train; no call is made. */
export function planCosts<TInput, TOutput, TLabels>(
  { program, trainset }: OptimizerTask<TInput, TOutput, TLabels>,
  { calls, examplesPerText }: OptimizerPlan,
  prices: PriceTable | undefined,
): PlannedCosts | null {
  if (calls === null) return null;
  const examples = trainset.splits.train.slice(0, sampleSize);
  const names = Object.keys(program.predictors);
  const prompts = new Map(
    names.map((name) => [name, meanOf(examples.flatMap(({ input }) => promptTokens(name, input)))]),
  );
  const known = [...prompts.values()].filter((tokens) => tokens !== null);
  const perCall = meanOf(known);
  if (perCall === null) return null;

  function promptTokens(name: string, input: TInput): readonly number[] {
    try {
      const messages = program.render(name, input as never);
      return [messages.reduce((sum, { content }) => sum + tokensIn(content), 0)];
    } catch {
      // Later steps take what earlier ones write, which no one knows before the run.
      return [];
    }
  }

  const longest = (name: string): number =>
    program.predictors[name]?.settings.sampling.maxCompletionTokens ??
    defaultSampling.maxCompletionTokens;
  const mostCompletion = meanOf(names.map(longest)) ?? defaultSampling.maxCompletionTokens;
  const student = roleOf(calls.student, perCall, [assumedCompletion.student, mostCompletion]);
  const shown = examplesPerText * (perCall + assumedCompletion.student);
  const instruction = assumedCompletion.reflection;
  const reflection = roleOf(calls.reflection, shown + 2 * instruction, [
    assumedCompletion.reflection,
    2 * defaultSampling.maxCompletionTokens,
  ]);
  const usd = (of: "typical" | "most"): number =>
    (
      [
        ["student", student],
        ["reflection", reflection],
      ] as const
    ).reduce(
      (sum, [role, { promptTokens: prompt, completionTokens }]) =>
        sum + costOf(prompt, completionTokens[of], prices?.[role]),
      0,
    );
  return {
    student,
    reflection,
    usd: prices === undefined ? null : { typical: usd("typical"), most: usd("most") },
    notRendered: names.filter((name) => prompts.get(name) === null),
  };
}

function roleOf(
  calls: number,
  promptTokens: number,
  [typical, most]: readonly [number, number],
): PlannedRole {
  return {
    calls,
    promptTokens: Math.round(calls * promptTokens),
    completionTokens: { typical: calls * typical, most: Math.round(calls * most) },
  };
}

function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
