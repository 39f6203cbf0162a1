/** The probability of one of the offered labels. */
export interface LabelChance {
  readonly label: string;
  /** In (0, 1); the values of one choice sum to 1. */
  readonly chance: number;
}
