/**
 * Examples from files, in fixed splits: checked once on entry, then frozen. A trainset knows the
 * source and the hash of its rows; it knows no program, metric or data set by name. Errors in a
 * file name the line.
 */
export { labelOf, labelTexts, trainset } from "./trainset.ts";
export type { RelevanceGrades } from "./read-qrels.ts";
export { readQrels } from "./read-qrels.ts";
export type { ImagePlace } from "./read-examples.ts";
export { imagesFromFiles, readImage, readExamples } from "./read-examples.ts";
export type { JsonRow, JsonRowsOptions } from "./json-rows.ts";
export { jsonRows } from "./json-rows.ts";
export type { ReadJsonlOptions } from "./read-rows.ts";
export { readJsonl } from "./read-rows.ts";
export type { Line } from "./read-lines.ts";
export { readLines } from "./read-lines.ts";
export type { Row } from "./read-rows.ts";
export { readRows } from "./read-rows.ts";
export type { ClusterSampleOptions } from "./sample-by-cluster.ts";
export { sampleByCluster } from "./sample-by-cluster.ts";
export type { ClusterSplitOptions } from "./split-by-cluster.ts";
export { splitByCluster } from "./split-by-cluster.ts";
export type { TrainsetDefinition } from "./trainset.ts";
