/** Places of features and their values; every other feature is 0. */
export type Features = readonly (readonly [place: number, value: number])[];

/** What is believed of an effect on the score before any rollout. */
export interface Prior {
  readonly mean: number;
  /** Above 0. */
  readonly deviation: number;
  /** Added to the mean where it is asked what to try, never where it is asked what is better. */
  readonly hope?: number;
}

/** The score of one rollout and what its configuration shows on its example. */
export interface Observation {
  readonly features: Features;
  readonly exampleId: string;
  readonly score: number;
}
