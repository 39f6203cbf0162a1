import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { optionOutside } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import { withReflectionCap } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";
import { sum } from "../../statistics/index.ts";

const owner = "inTurn()";

/**
 * Runs optimizers one after the other in one run, with one journal and one budget: each starts from
 * the best candidate of the one before, and rollouts that were paid for before cost nothing.
 *
 * An optimizer's own `budget` caps its part in `metricCalls` and `reflectionCalls`. Without one it
 * gets an equal share of the metric calls that are left; what it leaves goes to the others.
 *
 * @example inTurn([gepa({ budget: { metricCalls: 300 } }), bootstrapFewShot()], { budget: {
 * metricCalls: 500 } })
 * @throws EspalierError `option-invalid` without optimizers, for caps of another kind in a part,
 *   and for parts with different LMs in one role
 */
export function inTurn(
  optimizers: readonly Optimizer[],
  { seed = 0, budget }: { readonly seed?: number; readonly budget?: Budget } = {},
): Optimizer {
  if (optimizers.length === 0) {
    throw optionOutside("optimizers", 0, "at least one optimizer", owner);
  }
  for (const { name, budget: own = {} } of optimizers) checkCaps(name, own);
  const reflectionLm = sharedLm(optimizers, "reflectionLm");
  const teacherLm = sharedLm(optimizers, "teacherLm");
  return Object.freeze({
    name: "in-turn",
    version: "2",
    seed,
    ...(budget === undefined ? {} : { budget }),
    ...(reflectionLm && { reflectionLm }),
    ...(teacherLm && { teacherLm }),
    asksReflection: optimizers.some(({ asksReflection = true }) => asksReflection),
    endsByItself: optimizers.every(
      ({ endsByItself = false, budget: own }) => endsByItself || own !== undefined,
    ),
    perfectScore: greatest(optimizers.map(({ perfectScore = 1 }) => perfectScore)),
    hasParts: true,
    settings: {
      parts: optimizers.map(({ name, version, budget: own = {}, settings }) => ({
        name,
        version,
        budget: { ...own },
        settings,
      })),
    },
    doPlan: (space, cap) => inTurnPlan(optimizers, space, cap),
    doOptimize: async (space, run) => {
      // Loaded here, so that importing the optimizers loads none that does not run.
      const { runInTurn } = await import("./run-in-turn.ts");
      return runInTurn(optimizers, space, run);
    },
  } satisfies Optimizer);
}

/** Below it, one of them may learn. */
function greatest(perfectScores: readonly (number | null)[]): number | null {
  const known = perfectScores.filter((score) => score !== null);
  return known.length < perfectScores.length ? null : Math.max(...known);
}

const cappable: ReadonlySet<string> = new Set<keyof Budget>(["metricCalls", "reflectionCalls"]);

function checkCaps(optimizer: string, budget: Budget): void {
  const other = Object.keys(budget).find((cap) => !cappable.has(cap));
  if (other === undefined) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: `The budget of \`${optimizer}\` cannot bound its part of a run`,
    expected: "caps on `metricCalls` or `reflectionCalls`",
    got: `\`${other}\``,
    fix: `Set this cap for the whole run, in the \`budget\` of ${owner} or of the run.`,
  });
}

/** Calls of one role go to one LM in a run. */
function sharedLm(
  optimizers: readonly Optimizer[],
  role: "reflectionLm" | "teacherLm",
): LanguageModel | undefined {
  const lms = new Set(optimizers.flatMap((optimizer) => optimizer[role] ?? []));
  if (lms.size <= 1) return [...lms][0];
  throw optionOutside(role, `${lms.size} LMs`, "the same LM in all optimizers", owner);
}

/** What a budget allows the parts together, each with its own caps or its share of what is left. */
function inTurnPlan(
  optimizers: readonly Optimizer[],
  space: SearchSpace,
  budget: Budget,
): OptimizerPlan {
  let { metricCalls: left = Infinity } = budget;
  const predictors = Math.max(1, predictorCount(space.components));
  const plans = optimizers.map((optimizer, index) => {
    const { budget: own = {}, endsByItself = false } = optimizer;
    const share = Math.floor(left / (optimizers.length - index));
    const metricCalls = Math.min(own.metricCalls ?? share, left);
    const capped = withReflectionCap({ ...own, ...finite({ metricCalls }) }, optimizer);
    const reflectionCalls = Math.min(
      capped.reflectionCalls ?? Infinity,
      budget.reflectionCalls ?? Infinity,
    );
    const caps = finite({ metricCalls, reflectionCalls });
    const plan = optimizer.doPlan(space, { ...budget, ...caps });
    const { calls } = plan;
    // A part that ends by itself leaves to the others what it does not need.
    const spent =
      endsByItself && calls !== null
        ? Math.ceil((calls.student + (calls.teacher ?? 0)) / predictors)
        : Infinity;
    if (left !== Infinity) left -= Math.min(metricCalls, spent);
    return plan;
  });
  const known = plans.flatMap(({ calls }) => calls ?? []);
  const taught = known.flatMap(({ teacher }) => teacher ?? []);
  const proposals = plans.flatMap((plan) => plan.proposals ?? []);
  const longest = plans.flatMap(({ longestText }) => longestText ?? []);
  const searches = plans.flatMap((plan) => plan.searches ?? []);
  return {
    ...(searches.length > 0 && { searches }),
    seedEvaluation: plans[0]?.seedEvaluation ?? 0,
    proposals: proposals.length < plans.length ? null : sum(proposals),
    calls:
      known.length < plans.length
        ? null
        : {
            student: sum(known.map(({ student }) => student)),
            reflection: sum(known.map(({ reflection }) => reflection)),
            ...(taught.length > 0 && { teacher: sum(taught) }),
          },
    examplesPerText: Math.max(...plans.map(({ examplesPerText }) => examplesPerText)),
    ...(longest.length > 0 && { longestText: Math.max(...longest) }),
    warnings: plans.flatMap(({ warnings }, index) =>
      warnings.map((warning) => `${optimizers[index]?.name}, on its share: ${warning}`),
    ),
  };
}

function finite(caps: Budget): Budget {
  return Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== Infinity));
}
