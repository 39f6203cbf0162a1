/**
 * Examples from files, in fixed splits: checked once at the door, then frozen. A trainset knows
 * where its rows come from and what they hash to; it knows no program, no metric and no data set by
 * name. Anything wrong in a file is reported with its line.
 */
export type { QrelsOptions, RelevanceGrades } from "./read-qrels.ts";
export { readQrels } from "./read-qrels.ts";
export { readExamples } from "./read-examples.ts";
export type { ReadJsonlOptions } from "./read-jsonl.ts";
export { readJsonl } from "./read-jsonl.ts";
export type { Line } from "./read-lines.ts";
export { readLines } from "./read-lines.ts";
export type { TrainsetDefinition } from "./trainset.ts";
export { trainset } from "./trainset.ts";
