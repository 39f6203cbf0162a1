/**
 * Searches instructions, demonstrations and parameters as MIPROv2 does: sets of demonstrations and
 * instructions are made beforehand, one of each for every predictor is chosen by trials. This
 * folder proposes and chooses; what makes a demonstration is in `demonstrations`, the estimator
 * that suggests trials in `parameter-search/tpe`.
 */
export type { MiproV2Options } from "./mipro-v2.ts";
export { miproV2 } from "./mipro-v2.ts";
