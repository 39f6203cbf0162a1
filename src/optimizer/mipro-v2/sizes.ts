import type { SearchSpace } from "../task/search-space.ts";
import type { Dimensions } from "./choices.ts";

/** Runs of train in one request for an instruction. */
export const runsPerText = 6;

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
 */
export function sizesOf(
  rollouts: number,
  { train, val, isMean = true }: Pick<SearchSpace, "train" | "val" | "isMean">,
  { texts, shown, parameters }: Dimensions,
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
  const choices = texts.length + shown.length + parameters.length;
  const grown = Math.round(2 ** (trials / (2 * choices)));
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

/** How many instructions of each step are written in each round, by the calls that are left. */
export function instructionsOf(
  left: number,
  texts: number,
  { candidates, rounds }: Sizes,
): readonly number[] {
  const most = Math.min(rounds * (candidates - 1), Math.floor(left / texts));
  const until = (round: number): number => Math.floor((most * round) / rounds);
  return Array.from({ length: rounds }, (_, round) => until(round + 1) - until(round));
}
