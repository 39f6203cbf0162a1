/**
 * Makes a run survive a kill: `journal.jsonl` records what was decided, in logical order, and
 * `work.jsonl` what was done, in the order in which it was done. Resuming repeats the algorithm;
 * anything the files hold is looked up instead of requested again. This folder does not know how
 * candidates are created.
 */
export type { CappedReplies, CappedRepliesOptions, RecordedReplies } from "./recorded-replies.ts";
export { cappedReplies, recordedReplies, journalled } from "./recorded-replies.ts";
export { checkSameRun } from "./check-same-run.ts";
export type { RunFiles } from "./run-files.ts";
export { openRunFiles } from "./run-files.ts";
export { runFolderFiles, runLock, stopFileDetail } from "./run-folder.ts";
export type { WorkLog } from "./work-log.ts";
export { workLog } from "./work-log.ts";
