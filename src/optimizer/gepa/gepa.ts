import type { Optimizer } from "../contract/optimizer.ts";
import type { GepaOptions } from "./settings/gepa-options.ts";
import { describeSettings, gepaSettings, isGated } from "./settings/gepa-settings.ts";
import { runGepa } from "./run-gepa.ts";
import { textComponents } from "../task/search-space.ts";
import type { Budget } from "../budget/index.ts";
import { predictorCount } from "../candidate/components.ts";
import type { OptimizerPlan } from "../contract/optimizer-plan.ts";
import type { GepaSettings } from "./settings/gepa-settings.ts";
import { sampleSize } from "../task/val-sample.ts";
import type { SearchSpace } from "../task/search-space.ts";

/**
 * Reflective prompt evolution (GEPA, Agrawal et al. 2025, arXiv 2507.19457). A language model reads
 * what a step did on a few training examples and the feedback on it, and rewrites the step's
 * instruction. A new text first proves itself on these examples and then on a sample of val; the
 * next parent is usually the best candidate. The strategies can be replaced: with those of
 * `test/conformance/reference` it does what gepa 0.1.4 does.
 *
 * @example
 * study({ program, trainset, objective, optimizer: gepa({ budget: { metricCalls: 500 } }) })
 */
export function gepa(options: GepaOptions = {}): Optimizer {
  const settings = gepaSettings(options);
  const { seed = 0, budget, reflection: { lm: reflectionLm } = {} } = options;
  return Object.freeze({
    name: "gepa",
    version: "10",
    seed,
    ...(budget === undefined ? {} : { budget }),
    ...(reflectionLm === undefined ? {} : { reflectionLm }),
    asksReflection: settings.reflection.proposer.asksReflection ?? true,
    endsByItself: settings.stop.when.some((stopper) => stopper.endsByItself === true),
    perfectScore: settings.search.perfectScore,
    settings: describeSettings(settings),
    doPlan: (space, cap) => {
      const components = textComponents(space, settings.components).length;
      return gepaPlan(space, cap, { settings, components });
    },
    doOptimize: (space, run) => runGepa(space, run, settings),
  } satisfies Optimizer);
}

/** With fewer proposals, a search says nothing about a program. */
const minUseful = 3;

/** What a budget allows if half of the proposals are accepted and no score is known beforehand. */
function gepaPlan(
  space: SearchSpace,
  budget: Budget,
  { settings, components }: { readonly settings: GepaSettings; readonly components: number },
): OptimizerPlan {
  const { metricCalls = Infinity, reflectionCalls = Infinity, lmCalls = Infinity } = budget;
  const { search } = settings;
  const costs = costsOf(space, settings, sampleSize(space, search.valSample, metricCalls));
  const { seedEvaluation, minibatch, perProposal, explored } = costs;
  const afterSeed = Math.max(0, metricCalls - seedEvaluation);
  const byCalls = (afterSeed - explored(afterSeed)) / perProposal;
  // Each text takes a call.
  const texts = Math.min(components, search.component.maxTexts ?? components);
  const byTexts = Math.min(reflectionCalls, lmCalls) / texts;
  const proposals = Math.floor(Math.min(byCalls, byTexts));
  const { longestText } = settings.reflection.proposer;
  return {
    seedEvaluation,
    proposals: proposals === Infinity ? null : proposals,
    calls:
      metricCalls === Infinity
        ? null
        : {
            student: metricCalls * predictorCount(space.components),
            reflection: proposals * texts,
          },
    examplesPerText: minibatch,
    ...(longestText !== undefined && { longestText }),
    warnings:
      proposals >= minUseful
        ? []
        : byTexts < byCalls
          ? [tooFewTexts(budget, proposals, texts)]
          : [tooFewCalls(metricCalls, proposals, costs)],
  };
}

/** In metric calls. */
interface Costs {
  readonly seedEvaluation: number;
  /** Examples of train that a proposal learns from. */
  readonly minibatch: number;
  readonly perProposal: number;
  /** Runs on train before the first proposal, of the calls `left` after the seed's evaluation. */
  readonly explored: (left: number) => number;
}

function costsOf({ train, val }: SearchSpace, settings: GepaSettings, onVal: number): Costs {
  const { minibatchSize, scoreReuse, minibatch: sampling } = settings.search;
  const minibatch = Math.min(minibatchSize, train.length);
  // If train selects and scores are reused, the seed's evaluation has run the examples that teach.
  const isExplored = train === val && scoreReuse === "trace" && onVal === val.length;
  return {
    seedEvaluation: onVal,
    minibatch,
    perProposal: isGated(settings, onVal) ? 2 * minibatch + onVal / 2 : minibatch + onVal,
    explored: (left) =>
      isExplored ? 0 : Math.min(train.length, sampling.exploration?.(left) ?? 0),
  };
}

function tooFewTexts(
  { reflectionCalls = Infinity, lmCalls = Infinity }: Budget,
  proposals: number,
  texts: number,
): string {
  const [cap, what] =
    lmCalls < reflectionCalls ? [lmCalls, "LM calls"] : [reflectionCalls, "reflection calls"];
  return `A budget of ${cap} ${what} allows ${proposalsText(proposals)}: each takes ${texts}. For ${minUseful} proposals, use at least ${minUseful * texts}.`;
}

function tooFewCalls(
  metricCalls: number,
  proposals: number,
  { seedEvaluation, perProposal, explored }: Costs,
): string {
  const wanted = minUseful * perProposal;
  let left = Math.ceil(wanted);
  while (left - explored(left) < wanted) left++;
  const first = explored(Math.max(0, metricCalls - seedEvaluation));
  const onTrain = first === 0 ? "" : `, the first runs on train take ${first}`;
  return (
    `A budget of ${metricCalls} metric calls allows ${proposalsText(proposals)}: evaluating the seed takes ` +
    `${seedEvaluation}${onTrain}, and each proposal takes about ${Math.ceil(perProposal)}. For ${minUseful} proposals, use at least ${seedEvaluation + left}.`
  );
}

function proposalsText(count: number): string {
  if (count === 0) return "no proposal";
  return `about ${count} ${count === 1 ? "proposal" : "proposals"}`;
}
