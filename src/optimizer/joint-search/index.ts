/**
 * Searches instructions, demonstrations and parameters together, by one model of the score that
 * every rollout feeds. Where only texts may change, it hands over to `gepa()`.
 */
export { jointSearch } from "./joint-search.ts";
export type { JointSearchOptions } from "./settings/settings.ts";
