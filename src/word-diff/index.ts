/**
 * How two texts differ, word by word, for whatever shows it: terminal or page. Stands apart from
 * `internal` because it loads a library that most commands have no use for.
 */
export type { DiffPart } from "./word-diff.ts";
export { wordDiff, wordDiffText } from "./word-diff.ts";
