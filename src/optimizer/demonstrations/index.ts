/**
 * Makes demonstrations from runs of a program and from labels: which runs pass, what each predictor
 * shows in them, and which of several to keep. Pure functions that any optimizer can use; this
 * folder calls no model, knows no budget, and does not choose which demonstrations a prompt shows.
 */
export type { NumberedRollout } from "../evaluation/index.ts";
export type { AgreedDemonstration } from "./agreed-demonstrations.ts";
export { agreedDemonstrations } from "./agreed-demonstrations.ts";
export type { DemonstrationRules, PredictorDemonstration } from "./demonstrations-of.ts";
export { canShowRuns } from "./can-show-runs.ts";
export { demonstrationsOf } from "./demonstrations-of.ts";
export { goodScore } from "./good-score.ts";
export { labelledDemonstrations } from "./labelled-demonstrations.ts";
export { objectiveGain } from "./objective-gain.ts";
export { passingScore } from "./passing-score.ts";
export { bestSupported } from "./best-supported.ts";
export { unblamed } from "./unblamed.ts";
export { withImagesOf } from "./with-images-of.ts";
export { withDemonstrations } from "./with-demonstrations.ts";
export type { DemonstrationCredit } from "../candidate/demonstration-credit.ts";
export type { Credits } from "./credit.ts";
export { creditsIn, creditsOf } from "./credit.ts";
export type { ShownRun } from "./shown-runs.ts";
export { fixedDemonstrations, shownRuns } from "./shown-runs.ts";
