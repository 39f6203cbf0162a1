import type { SearchSpace } from "../task/search-space.ts";

/** How large a search is, by its budget. */
export interface Sizes {
  /** Rollouts of the program on train, at most. */
  readonly bootstrapping: number;
  /** Examples of val that judge candidates. */
  readonly panel: number;
  /** Examples of the panel in one trial. */
  readonly minibatch: number;
  /** Combinations tried, at most. */
  readonly trials: number;
  /** Instructions and sets of demonstrations for each predictor, its own among them, at first. */
  readonly candidates: number;
  /** Times that instructions are written. */
  readonly rounds: number;
  /** Rollouts on train before each round but the first. */
  readonly lessons: number;
}

/** Rollouts of a search without a cap, in passes over val. */
const nominalPasses = 25;
const bootstrappingShare = 1 / 3;
const panelShare = 0.16;
const [minCandidates, maxCandidates] = [4, 18];
/** Trials from one round of instructions to the next, at least. */
const trialsPerRound = 2;
const maxRounds = 6;
/** Examples of val that say anything of a combination. */
const minTrialSize = 12;
const lessonShare = 0.04;
const minLessons = 8;

/**
 * Sizes by the rollouts that a budget allows. DSPy's `auto` goes from candidates to trials,
 * `2 * choices * log2(candidates)`; here the budget gives the trials, and these the candidates.
 *
 * @param choices choices that a trial makes
 */
export function sizesOf(
  rollouts: number,
  { train, val, isMean = true }: Pick<SearchSpace, "train" | "val" | "isMean">,
  { choices }: { readonly choices: number },
): Sizes {
  const counted = Number.isFinite(rollouts) ? rollouts : nominalPasses * val.length;
  // Part of val says nothing of an objective that is not a mean over examples.
  const panel = isMean
    ? Math.min(val.length, Math.max(1, Math.round(panelShare * counted)))
    : val.length;
  const bootstrapping = Math.min(
    train.length,
    Math.max(0, Math.floor((counted - panel) * bootstrappingShare)),
  );
  const minibatch = isMean ? Math.min(panel, Math.max(minTrialSize, Math.ceil(panel / 4))) : panel;
  const left = Math.max(0, counted - panel - bootstrapping);
  const perTrial = costOfTrial({ panel, minibatch });
  const lessons = Math.min(train.length, Math.max(minLessons, Math.round(lessonShare * counted)));
  const rounds = Math.max(1, Math.min(maxRounds, Math.floor(left / perTrial / trialsPerRound)));
  const forTrials = Math.max(0, left - (rounds - 1) * lessons);
  const trials = Math.floor(forTrials / perTrial);
  const grown = Math.round(2 ** (trials / (2 * Math.max(1, choices))));
  return {
    bootstrapping,
    panel,
    minibatch,
    trials,
    candidates: Math.max(minCandidates, Math.min(maxCandidates, grown)),
    rounds,
    lessons,
  };
}

/** Trials from one evaluation of the best on all examples that judge to the next. */
export const fullEvaluationEvery = 5;

/** Mean rollouts of a trial, with its share of the full evaluations. */
export function costOfTrial({ panel, minibatch }: Pick<Sizes, "panel" | "minibatch">): number {
  return minibatch + (panel - minibatch) / fullEvaluationEvery;
}

/** Examples of train in one request for observations. */
export const batchSize = 10;
/** Most requests for observations. */
const maxBatches = 10;

/** Calls of the reflection LM by purpose, before any instruction is written. */
export interface GroundCalls {
  readonly observations: number;
  /** For a summary: 0 or 1. */
  readonly summary: number;
  /** Of the program and each step. */
  readonly descriptions: number;
}

/** Leaves at least half of the calls for instructions: descriptions go first, then observations. */
function groundCalls(calls: number, texts: number, train: number): GroundCalls {
  const room = Math.floor(calls / 2);
  const batches = Math.min(maxBatches, Math.ceil(train / batchSize));
  const observations = Math.max(0, Math.min(batches, room - 1));
  const summary = observations > 0 ? 1 : 0;
  const wanted = 1 + texts;
  const descriptions = room - observations - summary >= wanted ? wanted : 0;
  return { observations, summary, descriptions };
}

/** Calls of the reflection LM. */
interface Calls {
  readonly ground: GroundCalls;
  /** Instructions of each step in each round. */
  readonly instructions: readonly number[];
}

/** What the calls of the reflection LM that are left go to. */
export function callsOf(
  left: number,
  {
    train,
    texts,
    sizes: { candidates, rounds },
  }: {
    /** Number of examples. */
    readonly train: number;
    /** Number of instructions that may change. */
    readonly texts: number;
    readonly sizes: Sizes;
  },
): Calls {
  const ground = groundCalls(left, texts, train);
  const forTexts = left - ground.observations - ground.summary - ground.descriptions;
  const most = Math.min(rounds * (candidates - 1), Math.floor(forTexts / texts));
  const until = (round: number): number => Math.floor((most * round) / rounds);
  const instructions = Array.from(
    { length: rounds },
    (_, round) => until(round + 1) - until(round),
  );
  return { ground, instructions };
}
