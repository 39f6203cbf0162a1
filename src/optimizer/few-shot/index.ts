/**
 * Searches a program's demonstrations: from runs on train and from labels, tested in sets on val.
 * This folder writes no texts and calls no LM but the program's and a teacher's; what makes a
 * demonstration is in `demonstrations`.
 */
export { bootstrapFewShot } from "./bootstrap-few-shot.ts";
export type { BootstrapFewShotOptions } from "./few-shot-settings.ts";
export type { LabelledCandidate } from "./labelled-candidates.ts";
export { labelledCandidates } from "./labelled-candidates.ts";
