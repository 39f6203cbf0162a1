/** Iterations without a new candidate after which a search counts as stalled. */
export const patience = 8;
