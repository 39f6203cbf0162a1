/**
 * Fits the weights by which a program decides between labels, from the probabilities that its
 * rollouts recorded. This folder knows no texts, and not where probabilities come from; a run is
 * repeated only where it would decide as no earlier one did.
 */
export type { DecisionFitOptions } from "./decision-fit.ts";
export { decisionFit } from "./decision-fit.ts";
