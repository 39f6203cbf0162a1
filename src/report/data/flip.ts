/** An example that two sides scored differently. */
export interface Flip {
  /** Place in the comparison's `examples`. */
  readonly example: number;
  readonly baseline: number;
  readonly other: number;
  /** Whether one of the two scores is inherited: that side was not run on the example. */
  readonly isInherited: boolean;
}
