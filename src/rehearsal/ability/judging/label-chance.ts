/** How likely one of the labels offered is. */
export interface LabelChance {
  readonly label: string;
  /** In (0, 1); chances of one choice sum to 1. */
  readonly chance: number;
}
