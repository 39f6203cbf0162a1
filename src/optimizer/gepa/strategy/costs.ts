/** What a strategy knows about a run when it is planned. */
export interface PlannedRun {
  /** Number of examples in train and in val. */
  readonly train: number;
  readonly val: number;
  /** Number of components that may change. */
  readonly components: number;
  /** Option `search.minibatchSize`. */
  readonly minibatchSize: number;
}

/** Metric calls: an upper bound, a typical value and a lower bound. */
export interface Amounts {
  readonly least: number;
  readonly typical: number;
  readonly most: number;
}

export interface MinibatchCosts {
  /** Maximum training examples that a proposal is run on. */
  readonly examples: number;
  /**
   * For a strategy that learns from known rollouts and runs examples only to find lessons: the runs
   * before the first proposal, given the metric calls `left` after the seed's evaluation. Absent:
   * the parent is run on the examples of each proposal.
   */
  readonly exploration?: (left: number) => Amounts;
}

export interface ProposalSamplingCosts {
  /** Maximum proposals per iteration. */
  readonly proposals: number;
}

export interface ComponentCosts {
  /** Maximum texts that one proposal changes. */
  readonly texts: number;
}

export interface ValidationCosts {
  /** Typical val rollouts before a child that fails there is rejected. */
  readonly rejected: number;
  /** Maximum val rollouts of a child. @default all of val */
  readonly most?: number;
}

export interface ValAcceptanceCosts {
  /** Whether it may run parent and child on the training example that the child addresses. */
  readonly asksTrain: boolean;
}
