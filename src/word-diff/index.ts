/**
 * How two texts, or two values, differ, for whatever shows it: terminal, message or page. Stands
 * apart from `internal` because it loads a library that many commands have no use for.
 */
export { changeInWords, wordDiff } from "./word-diff.ts";
export type { DiffPart } from "./word-diff.ts";
