/** The two candidates: A is the greedy one. */
export type CandidateName = "A" | "B";

export type PerCandidate<TValue> = Readonly<Record<CandidateName, TValue>>;

export interface UserPreference {
  readonly preferred: CandidateName;
  readonly confidence: "HIGH" | "MEDIUM" | "LOW";
}

/** The parameters of equation 5. */
export interface ExtractivenessBand {
  /** Bounds of the band: ideal from `low` to `ideal`, acceptable up to `high`, all inclusive. */
  readonly low: number;
  readonly ideal: number;
  readonly high: number;
  /** Points below the band, inside it, above the ideal, and above `high`. */
  readonly belowBonus: number;
  readonly idealBonus: number;
  readonly acceptableBonus: number;
  readonly aboveBonus: number;
}

/** The parameters of equation 6. */
export interface SelectionWeights {
  readonly technical: number;
  readonly preference: number;
  /** Points of A if no user judge was asked. */
  readonly prior: number;
  readonly forbidden: number;
  readonly confidence: Readonly<Record<UserPreference["confidence"], number>>;
}

export interface SelectionSignals {
  /** Scores of the technical judge, from 0 to 10. */
  readonly technical: PerCandidate<number>;
  /** `null` if the user judge was not asked. */
  readonly user: UserPreference | null;
  readonly extractiveness: PerCandidate<number>;
  readonly hasForbiddenPhrase: PerCandidate<boolean>;
}

export interface Selection {
  readonly scores: PerCandidate<number>;
  readonly choice: CandidateName;
}

export const authorsBand: ExtractivenessBand = {
  low: 0.28,
  ideal: 0.38,
  high: 0.5,
  belowBonus: -1.5,
  idealBonus: 2.5,
  acceptableBonus: 1.5,
  aboveBonus: 0.5,
};

export const authorsWeights: SelectionWeights = {
  technical: 0.35,
  preference: 5,
  prior: 2,
  forbidden: 2,
  confidence: { HIGH: 1, MEDIUM: 0.7, LOW: 0.4 },
};

/**
 * Equation 5, phi: penalises too little of the evidence's wording and rewards too much of it less.
 */
export function extractivenessBonus(share: number, band = authorsBand): number {
  if (share < band.low) return band.belowBonus;
  if (share <= band.ideal) return band.idealBonus;
  return share <= band.high ? band.acceptableBonus : band.aboveBonus;
}

/** Equation 6 for both candidates; a tie goes to A. */
export function selectCandidate(
  signals: SelectionSignals,
  { band = authorsBand, weights = authorsWeights } = {},
): Selection {
  const scoreOf = (name: CandidateName): number =>
    weights.technical * signals.technical[name] +
    preferenceOf(name, signals.user, weights) +
    extractivenessBonus(signals.extractiveness[name], band) -
    (signals.hasForbiddenPhrase[name] ? weights.forbidden : 0);
  const scores = { A: scoreOf("A"), B: scoreOf("B") };
  return { scores, choice: scores.A >= scores.B ? "A" : "B" };
}

function preferenceOf(
  name: CandidateName,
  user: UserPreference | null,
  { preference, prior, confidence }: SelectionWeights,
): number {
  if (user === null) return name === "A" ? prior : 0;
  return user.preferred === name ? preference * confidence[user.confidence] : 0;
}
