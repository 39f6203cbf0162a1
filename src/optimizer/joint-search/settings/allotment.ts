import type { SearchSpace } from "../../task/search-space.ts";

/** Rollouts of one trial: as many of train, which teach, as of val, which count. */
export const trialSize = 4;

/** Trials from one reflection to the next. */
export const trialsPerText = 2;

/** Rollouts from which a search is long: it can tell more, and has more for chance to offer. */
export const longSearch = 400;

/** How a search spends its budget. */
export interface Allotment {
  /** Rollouts of the program as it is, before anything else. */
  readonly firstLook: number;
  /** Rollouts kept for the race at the end. */
  readonly race: number;
  /** Maximum number of texts to request. */
  readonly texts: number;
}

const firstLookShare = 0.2;
/** Of the rollouts that are left, too, where the search goes on after a race. */
export const raceShare = 0.25;
/** Of rollouts without a cap that can be counted. */
const nominalEpochs = 10;
const mostTexts = 200;

/**
 * Texts grow with the square root of the rollouts, since each takes rollouts to find out what it is
 * worth.
 */
export function allotment(rollouts: number, space: Pick<SearchSpace, "train" | "val">): Allotment {
  const counted = countedRollouts(rollouts, space);
  const examples = space.train.length + space.val.length;
  return {
    firstLook: Math.max(2, Math.min(Math.round(firstLookShare * counted), examples)),
    race: Math.round(raceShare * counted),
    texts: Math.min(mostTexts, Math.ceil(1.6 * Math.sqrt(counted))),
  };
}

/** Fewer trials say too little about any lever. */
const fewestTrials = 5;

/** Rollouts for a first look, the fewest trials and a race. */
export const fewestRollouts: number = Math.ceil(
  (fewestTrials * trialSize) / (1 - firstLookShare - raceShare),
);

/** The rollouts that a search counts with. */
export function countedRollouts(
  rollouts: number,
  space: Pick<SearchSpace, "train" | "val">,
): number {
  return Number.isFinite(rollouts)
    ? rollouts
    : nominalEpochs * (space.train.length + space.val.length);
}
