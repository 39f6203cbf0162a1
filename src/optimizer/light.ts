/**
 * The second door of this folder, to what reads the folder of a run and chooses among its candidates.
 * Loads nothing that searches.
 */
export { candidateMeasures } from "./candidate-measures.ts";
export { chooseCandidate } from "./choose-candidate.ts";
export { billedIn } from "./journal/light.ts";
export { readRun } from "./read-run.ts";
