/**
 * Makes demonstrations from runs of a program and from labels: which runs pass, what each predictor
 * shows in them, and which of several to keep. Pure functions that any optimizer can use; this
 * folder calls no model, knows no budget, and does not choose which demonstrations a prompt shows.
 */
export type { PredictorDemonstration } from "./demonstrations-of.ts";
export {
  agreedDemonstrations,
  canShow,
  demonstrationsOf,
  labelledDemonstrations,
  withDemonstrations,
  goodScore,
  passingScore,
} from "./demonstrations-of.ts";
export { bestSupported } from "./best-supported.ts";
