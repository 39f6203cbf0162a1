import { defaultSampling, imagesIn, textOfMessage } from "../../contract/index.ts";
import type { PriceTable, Budget } from "../budget/index.ts";
import { costOf } from "../budget/index.ts";
import type { OptimizerPlan, PlannedCosts, PlannedRole } from "../contract/optimizer-plan.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import { mean } from "../../statistics/index.ts";

/** Assumed tokens of a reply of unknown length. */
const assumedCompletion = { student: 256, reflection: 512 } as const;

/** Of a picture of about a million pixels: models take 700 to 1,600 for it. */
const assumedImageTokens = 1_000;

/** Number of examples whose prompts are rendered. */
const sampleSize = 5;

/** The cost of one run of a program, estimated from the prompts of a few training examples. */
interface RolloutEstimate {
  readonly calls: number;
  /** Per call. */
  readonly promptTokens: number;
  /** Per call: the assumed number and the maximum allowed. */
  readonly completionTokens: { readonly typical: number; readonly most: number };
  readonly notRendered: readonly string[];
}

/** Makes no call; `null` if no prompt can be rendered from an example's inputs alone. */
export function rolloutEstimate<TInput, TOutput, TLabels>({
  program,
  trainset,
}: OptimizerTask<TInput, TOutput, TLabels>): RolloutEstimate | null {
  const examples = trainset.splits.train.slice(0, sampleSize);
  const names = Object.keys(program.predictors);
  const promptTokens = (name: string, input: TInput): readonly number[] => {
    try {
      const messages = program.render(name, input as never);
      const ofImages = imagesIn(messages).length * assumedImageTokens;
      return [
        messages.reduce((sum, message) => sum + estimateTokens(textOfMessage(message)), ofImages),
      ];
    } catch {
      // Later steps need the outputs of earlier ones, which are unknown before the run.
      return [];
    }
  };
  const prompts = new Map(
    names.map((name) => [name, meanOf(examples.flatMap(({ input }) => promptTokens(name, input)))]),
  );
  const perCall = meanOf([...prompts.values()].filter((tokens) => tokens !== null));
  if (perCall === null) return null;
  return {
    calls: names.length,
    promptTokens: perCall,
    completionTokens: completionTokensOf(program),
    notRendered: names.filter((name) => prompts.get(name) === null),
  };
}

function completionTokensOf<TInput, TOutput>(
  program: OptimizerTask<TInput, TOutput>["program"],
): RolloutEstimate["completionTokens"] {
  const longest = Object.values(program.predictors).map(
    ({ settings }) => settings.sampling.maxCompletionTokens ?? defaultSampling.maxCompletionTokens,
  );
  return {
    typical: assumedCompletion.student,
    most: meanOf(longest) ?? defaultSampling.maxCompletionTokens,
  };
}

/** The cost of a number of calls to the program's LM. */
export function studentCosts(
  calls: number,
  { promptTokens, completionTokens: { typical, most } }: RolloutEstimate,
): PlannedRole {
  return roleOf(calls, promptTokens, [typical, most]);
}

/** The cost of a plan's calls; `null` if nothing bounds them. */
export function planCosts(
  plan: OptimizerPlan,
  rollout: RolloutEstimate,
  prices: PriceTable | undefined,
): PlannedCosts | null {
  if (plan.calls === null) return null;
  const student = studentCosts(plan.calls.student, rollout);
  const reflection = reflectionCosts(plan.calls.reflection, plan, rollout);
  const { teacher: taught } = plan.calls;
  const teacher = taught === undefined ? {} : { teacher: studentCosts(taught, rollout) };
  const roles = { student, reflection, ...teacher };
  return { ...roles, usd: usdOf(roles, prices), notRendered: rollout.notRendered };
}

function reflectionCosts(
  calls: number,
  { examplesPerText, longestText = 2 * defaultSampling.maxCompletionTokens }: OptimizerPlan,
  { promptTokens }: RolloutEstimate,
): PlannedRole {
  const shown = examplesPerText * (promptTokens + assumedCompletion.student);
  const instruction = assumedCompletion.reflection;
  return roleOf(calls, shown + 2 * instruction, [assumedCompletion.reflection, longestText]);
}

/**
 * Estimates the maximum that one call of each role can take from each cap that must fit its longest
 * reply; the byte length of a prompt bounds its tokens.
 */
function longestCalls(
  plan: OptimizerPlan,
  rollout: RolloutEstimate,
  prices: PriceTable | undefined,
): Readonly<
  Record<"student" | "reflection", Readonly<Record<"lmCalls" | "tokens" | "costUsd", number>>>
> {
  const longest = (role: "student" | "reflection", one: PlannedRole) => {
    const promptTokens = one.promptTokens * bytesPerToken;
    const completionTokens = one.completionTokens.most;
    const costUsd = costOf(promptTokens, completionTokens, prices?.[role]);
    return { lmCalls: 0, tokens: promptTokens + completionTokens, costUsd };
  };
  const asks = plan.calls === null || plan.examplesPerText > 0;
  return {
    student: longest("student", studentCosts(1, rollout)),
    reflection: longest("reflection", reflectionCosts(asks ? 1 : 0, plan, rollout)),
  };
}

/** In US dollars; `null` without prices. */
export function usdOf(
  roles: { readonly [Role in "student" | "reflection" | "teacher"]?: PlannedRole },
  prices: PriceTable | undefined,
): PlannedCosts["usd"] {
  if (prices === undefined) return null;
  const usd = (of: "typical" | "most"): number =>
    (["student", "reflection", "teacher"] as const).reduce((sum, role) => {
      const planned = roles[role];
      if (planned === undefined) return sum;
      return sum + costOf(planned.promptTokens, planned.completionTokens[of], prices[role]);
    }, 0);
  return { typical: usd("typical"), most: usd("most") };
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

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

/** About how many metric calls a cap on LM calls, tokens or money allows. */
export type AffordedCalls = NonNullable<OptimizerPlan["afforded"]>;

type Costs = Pick<PlannedCosts, "usd" | "student"> &
  Partial<Pick<PlannedCosts, "reflection" | "teacher">>;

/**
 * Converts the caps on LM calls, tokens and money into metric calls, using the estimated cost of
 * one call and its share of reflection; `null` if none of them is the tightest cap.
 */
export function affordedCalls(
  budget: Budget,
  {
    rollout,
    prices,
    repetitions,
    planFor,
  }: {
    readonly rollout: RolloutEstimate;
    readonly prices: PriceTable | undefined;
    readonly repetitions: number;
    readonly planFor: (budget: Budget) => OptimizerPlan;
  },
): AffordedCalls | null {
  const caps = [
    ["lmCalls", budget.lmCalls, callsOf],
    ["tokens", budget.tokens, tokensOf],
    ["costUsd", budget.costUsd, ({ usd }: Costs) => usd?.typical ?? 0],
  ] as const;
  const one = studentCosts(rollout.calls, rollout);
  const all = caps.flatMap(([cap, limit, costOf]): readonly AffordedCalls[] => {
    if (limit === undefined) return [];
    const perCall = costOf({ student: one, usd: usdOf({ student: one }, prices) });
    // Only other caps bound free calls.
    if (perCall === 0) return [];
    const withCalls = (metricCalls: number): OptimizerPlan => planFor({ ...budget, metricCalls });
    const alone = Math.floor(limit / perCall);
    const plan = withCalls(alone);
    const longest = longestCalls(plan, rollout, prices);
    const [ofStudent, ofText] = [longest.student[cap], longest.reflection[cap]];
    const within = (available: number): number => {
      let [fitting, tooMany] = [0, alone + 1];
      while (tooMany - fitting > 1) {
        const middle = Math.floor((fitting + tooMany) / 2);
        const costs = planCosts(withCalls(middle), rollout, prices);
        if (costs === null || costOf(costs) <= available) fitting = middle;
        else tooMany = middle;
      }
      return fitting;
    };
    const reserved = Math.max(ofText, ofStudent);
    const { seedEvaluation, examplesPerText } = plan;
    const perChild = 2 * examplesPerText * repetitions + seedEvaluation;
    const beforeText = within(limit - reserved);
    // The seed is evaluated even if no text fits, and a child once the last text has been written.
    const metricCalls =
      beforeText > seedEvaluation
        ? beforeText + Math.floor(Math.min(perChild, (reserved - ofStudent) / perCall))
        : Math.min(within(limit - ofStudent), seedEvaluation);
    return [{ cap, limit, reserved, metricCalls: metricCalls - (metricCalls % repetitions) }];
  });
  const [tightest] = all.toSorted((left, right) => left.metricCalls - right.metricCalls);
  const isTightest = (tightest?.metricCalls ?? Infinity) < (budget.metricCalls ?? Infinity);
  return tightest !== undefined && isTightest ? tightest : null;
}

function callsOf({ student, reflection, teacher }: Costs): number {
  return student.calls + (reflection?.calls ?? 0) + (teacher?.calls ?? 0);
}

function tokensOf({ student, reflection, teacher }: Costs): number {
  return [student, reflection, teacher].reduce(
    (sum, role) =>
      role === undefined ? sum : sum + role.promptTokens + role.completionTokens.typical,
    0,
  );
}

/**
 * Bytes of UTF-8 counted as one token. With common byte-pair vocabularies, English has about four
 * bytes per token, and Chinese, code and numbers about three or slightly fewer. Three overestimates
 * prose by about a third and needs no tokenizer.
 */
export const bytesPerToken = 3;

/** The approximate number of tokens in a text: a cautious estimate from its length in UTF-8. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
