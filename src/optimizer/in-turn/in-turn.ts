import { withReflectionCap } from "../budget/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { optionOutside } from "../../internal/index.ts";
import type { Budget } from "../budget/index.ts";
import type { OptimizerPlan, PlannedProposals } from "../contract/optimizer-plan.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import type { SearchSpace } from "../task/search-space.ts";

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
    fix: `Give the whole run this cap, as \`budget\` of ${owner} or of the run.`,
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
  let { metricCalls: left } = budget;
  const plans = optimizers.map((optimizer, index) => {
    const share = left === undefined ? undefined : Math.floor(left / (optimizers.length - index));
    const cap = smallest(optimizer.budget?.metricCalls ?? share, left);
    const own = { ...optimizer.budget, ...(cap !== undefined && { metricCalls: cap }) };
    const { reflectionCalls } = withReflectionCap(own, optimizer);
    const texts = smallest(reflectionCalls, budget.reflectionCalls);
    const plan = optimizer.doPlan(space, {
      ...budget,
      ...(cap !== undefined && { metricCalls: cap }),
      ...(texts !== undefined && { reflectionCalls: texts }),
    });
    if (left !== undefined) left = Math.max(0, left - Math.min(cap ?? 0, spentBy(optimizer, plan)));
    return plan;
  });
  const [first] = plans as [OptimizerPlan];
  const calls = plans.map((plan) => plan.calls);
  const known = calls.flatMap((one) => one ?? []);
  const taught = known.flatMap(({ teacher }) => teacher ?? []);
  const longest = plans.flatMap(({ longestText }) => longestText ?? []);
  const chosen = plans.flatMap(({ searches }) => searches ?? []);
  return {
    ...(chosen.length > 0 && { searches: chosen }),
    seedEvaluation: first.seedEvaluation,
    perProposal: {
      refused: Math.min(...plans.map(({ perProposal }) => perProposal.refused)),
      accepted: Math.max(...plans.map(({ perProposal }) => perProposal.accepted)),
    },
    proposals: sumOfProposals(plans.map(({ proposals }) => proposals)),
    fullValidations: sumIfKnown(plans.map(({ fullValidations }) => fullValidations)),
    calls:
      known.length < calls.length
        ? null
        : {
            student: sumOf(known.map(({ student }) => student)),
            reflection: sumOf(known.map(({ reflection }) => reflection)),
            ...(taught.length > 0 && { teacher: sumOf(taught) }),
          },
    examplesPerText: Math.max(...plans.map(({ examplesPerText }) => examplesPerText)),
    ...(longest.length > 0 && { longestText: Math.max(...longest) }),
    warnings: plans.flatMap(({ warnings }, index) =>
      warnings.map((warning) => `${optimizers[index]?.name}: ${warning}`),
    ),
  };
}

/** A part that ends by itself leaves to the others what it does not need. */
function spentBy(
  { endsByItself = false }: Optimizer,
  { perProposal, proposals, seedEvaluation }: OptimizerPlan,
): number {
  if (!endsByItself || proposals === null) return Infinity;
  return seedEvaluation + proposals.most * perProposal.accepted;
}

function smallest(...caps: readonly (number | undefined)[]): number | undefined {
  const known = caps.filter((cap) => cap !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function sumOfProposals(plans: readonly (PlannedProposals | null)[]): PlannedProposals | null {
  const known = plans.flatMap((one) => one ?? []);
  if (known.length < plans.length) return null;
  return {
    least: sumOf(known.map(({ least }) => least)),
    expected: sumOf(known.map(({ expected }) => expected)),
    most: sumOf(known.map(({ most }) => most)),
  };
}

function sumIfKnown(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? null : sumOf(known);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
