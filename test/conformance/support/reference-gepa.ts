import type { Json } from "../../../src/contract/index.ts";
import type {
  MinibatchAcceptance,
  Optimizer,
  Proposer,
  RandomSources,
  ScorePairs,
  TextTask,
} from "espalier/optimizer";
import { allPassed, paretoParent, sameParent } from "espalier/optimizer";
import type { MergeProposal } from "../reference/index.ts";
import {
  allComponents,
  anyOnVal,
  bestParent,
  bestPassed,
  commonAncestorMerge,
  epsilonGreedyParent,
  independent,
  metricCallsReached,
  parentsTimesProposals,
  strictRoundRobin,
  topKParetoParent,
} from "../reference/index.ts";
import { pythonRandom } from "./python-random.ts";
import { referenceEpochs } from "./reference-epochs.ts";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";
import { gepaWith } from "../../optimizer/support/gepa-with.ts";

/**
 * The configurations of the recorded runs: what each sets otherwise than gepa 0.1.4 does by
 * default.
 */
export const configurations: Readonly<Record<string, () => FlatGepaOptions>> = {
  default: () => ({}),
  current_best: () => ({ parent: bestParent() }),
  epsilon_greedy: () => ({ parent: epsilonGreedyParent({ epsilon: 0.1 }) }),
  top_k_pareto: () => ({ parent: topKParetoParent({ k: 5 }) }),
  merge: () => ({ merge: referenceMerge(5) }),
  all: () => ({ component: allComponents() }),
  improvement_or_equal: () => ({
    minibatchAcceptance: bySum("or-equal", (after, before) => after >= before),
  }),
  mb4: () => ({ minibatch: referenceEpochs(4) }),
  independent3: () => ({ proposals: independent({ count: 3 }) }),
  same3best: () => ({ proposals: sameParent({ count: 3 }), selection: bestPassed() }),
  pxn22: () => ({ proposals: parentsTimesProposals({ parents: 2, proposals: 2 }) }),
  no_skip_perfect: () => ({ perfectScore: null }),
  "val=train,cache": () => ({ scoreReuse: "candidate" }),
};

/** gepa() put together to do what gepa 0.1.4 does, its defects included. For one run. */
export function referenceGepa(
  configuration: string,
  { metricCalls, proposer }: { readonly metricCalls: number; readonly proposer: Proposer },
): Optimizer {
  return gepaWith({
    parent: paretoParent(),
    frontier: "instance",
    minibatch: referenceEpochs(3),
    component: strictRoundRobin(),
    proposals: sameParent(),
    minibatchAcceptance: bySum("strict", (after, before) => after > before),
    valAcceptance: anyOnVal(),
    selection: allPassed(),
    valSample: null,
    scoreReuse: "none",
    gateAbove: 0,
    checks: [],
    secondTries: 0,
    maxIdleIterations: Number.MAX_SAFE_INTEGER,
    // Looked at before an iteration, which may then spend more.
    stop: [metricCallsReached(metricCalls)],
    proposer,
    ...configurations[configuration]?.(),
  });
}

/**
 * The task with sums as gepa 0.1.4 rounds them: what its cache holds first, what had to be run
 * last. Where a resumed run repeats a step without running anything, the cache holds the
 * minibatch on which the child was run just before. For one proposal an iteration where there is a
 * cache.
 */
export function summedInTurn<TExample extends Json>(task: TextTask<TExample>): TextTask<TExample> {
  const [run, minibatch] = [new Set<string>(), new Set<string>()];
  let isRepeated = true;
  return {
    ...task,
    evaluate: (texts, example, given) => {
      isRepeated = false;
      run.add(given.exampleId);
      return task.evaluate(texts, example, given);
    },
    aggregate: (split, scored) => {
      const isKnown = ({ exampleId }: { readonly exampleId: string }): boolean =>
        isRepeated ? minibatch.has(exampleId) : !run.has(exampleId);
      const known = scored.filter(isKnown);
      const others = scored.filter((one) => !isKnown(one));
      if (split === "train") {
        minibatch.clear();
        for (const { exampleId } of scored) minibatch.add(exampleId);
      }
      run.clear();
      return [...known, ...others].reduce((sum, { value }) => sum + value, 0) / scored.length;
    },
  };
}

/** One generator behind every stream of a run, drawn from in the order of the loop. */
export const oneGenerator: RandomSources = {
  name: "python/one-generator",
  start: (seed) => {
    const random = pythonRandom(seed);
    return () => random;
  },
};

/**
 * Sums as they are: the engine's own acceptance takes what only rounding could explain for equal.
 */
function bySum(
  name: string,
  accepts: (after: number, before: number) => boolean,
): MinibatchAcceptance {
  const sumOf = (scores: readonly number[]): number =>
    scores.reduce((sum, score) => sum + score, 0);
  return {
    name,
    judge: ({ parent, child }: ScorePairs) =>
      accepts(sumOf(child), sumOf(parent))
        ? { accepts: true }
        : { accepts: false, reason: "Not better on the minibatch." },
  };
}

/**
 * The number of merges limits how many are earned, not how many are made; and a child may be one
 * that there is.
 */
function referenceMerge(maxMerges: number): MergeProposal {
  return {
    ...commonAncestorMerge({ maxMerges, skipsKnown: false }),
    isDue: ({ due, isNewSince }) => due > 0 && isNewSince,
  };
}
