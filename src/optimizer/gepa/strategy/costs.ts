/** What a strategy is told of a run to be planned. */
export interface PlannedRun {
  /** Examples of train and of val. */
  readonly train: number;
  readonly val: number;
  /** Components that may change. */
  readonly components: number;
  /** Option `search.minibatchSize`. */
  readonly minibatchSize: number;
}

/** Metric calls: an upper bound, what is usual, and a lower bound. */
export interface Amounts {
  readonly least: number;
  readonly typical: number;
  readonly most: number;
}

export interface MinibatchCosts {
  /** Examples of train that a proposal is shown at most. */
  readonly examples: number;
  /**
   * For one that learns from what is known, and runs examples only to find lessons: those before
   * the first proposal, of so many metric calls that the seed's evaluation leaves. Absent: the
   * parent is run on the examples of each proposal.
   */
  readonly exploration?: (left: number) => Amounts;
}

export interface ProposalSamplingCosts {
  /** Proposals of one iteration at most. */
  readonly proposals: number;
}

export interface ComponentCosts {
  /** Texts that one proposal changes at most. */
  readonly texts: number;
}

export interface ValidationCosts {
  /** Rollouts of val, as a rule, until a child that is rejected there is known to be. */
  readonly rejected: number;
}

export interface ValAcceptanceCosts {
  /** Whether it may have parent and child run on the example of train that the child is about. */
  readonly asksTrain: boolean;
}

export interface ProposerCosts {
  /** Tokens that a text may have at most. */
  readonly longestText: number;
}
