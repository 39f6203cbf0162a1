/**
 * How many of the lessons that it is shown the reflection LM acts on, counted from the first: a
 * posterior over 1 to 8 and "all". It is learned in the run, since it depends on the LM, and it
 * decides which lessons of an accepted child remain to be learned.
 */
export interface ActingEstimate {
  /** Probabilities of the counts 1, 2, ..., 8, and of all. */
  readonly chances: readonly number[];
}

/** What a child showed about a lesson that its parent had not met. */
export interface ActingObservation {
  /** Place of the lesson among those shown, from 0. */
  readonly index: number;
  readonly isMet: boolean;
}

const counts = [1, 2, 3, 4, 5, 6, 7, 8, Infinity] as const;
/** Acting on one and acting on all are as likely as everything in between. */
const edge = 1 / 3;
/** How often a lesson that was acted on is not met, and the reverse. */
const surprise = 0.1;

export const unknownActing: ActingEstimate = {
  chances: counts.map((count) =>
    count === 1 || count === Infinity ? edge : (1 - 2 * edge) / (counts.length - 2),
  ),
};

/** The probability that the lesson shown at a place was acted on. */
export function chanceOfActing({ chances }: ActingEstimate, index: number): number {
  return chances.reduce((sum, chance, at) => (isWithin(at, index) ? sum + chance : sum), 0);
}

export function afterObserving(
  { chances }: ActingEstimate,
  { index, isMet }: ActingObservation,
): ActingEstimate {
  const likely = chances.map(
    (chance, at) => chance * (isWithin(at, index) === isMet ? 1 - surprise : surprise),
  );
  const total = likely.reduce((sum, chance) => sum + chance, 0);
  return { chances: likely.map((chance) => chance / total) };
}

/**
 * The place about which least is known, the last of several; `null` if all that were shown are
 * known well enough for a run to tell nothing new.
 */
export function placeToObserve(estimate: ActingEstimate, places: readonly number[]): number | null {
  let [found, least]: [number | null, number] = [null, 0.5 - doubtful];
  for (const index of places) {
    const distance = Math.abs(chanceOfActing(estimate, index) - 0.5);
    if (distance <= least) [found, least] = [index, distance];
  }
  return found;
}

/** A chance below this, or as close to 1, is known well enough. */
const doubtful = 0.1;

function isWithin(at: number, index: number): boolean {
  return (counts[at] ?? 0) > index;
}
