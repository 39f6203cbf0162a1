/**
 * Makes a run survive a kill: `journal.jsonl` records what was decided, in logical order, and
 * `work.jsonl` what was done, in the order in which it was done. Resuming repeats the algorithm;
 * anything the files hold is looked up instead of requested again. This folder does not know how
 * candidates are created.
 */
export type { CappedReplies, CappedRepliesOptions } from "./capped-replies.ts";
export { cappedReplies } from "./capped-replies.ts";
export { checkSameRun } from "./check-same-run.ts";
export type { Journal } from "./journal.ts";
export { journal } from "./journal.ts";
export { journalled } from "./journalled.ts";
export { recordedOnly } from "./recorded-only.ts";
export type { RecordedReplies } from "./recorded-replies.ts";
export { recordedReplies } from "./recorded-replies.ts";
export { reopenRun } from "./reopen-run.ts";
export { malformedLine } from "./line/check-line.ts";
export { rolloutShape } from "./line/work-shapes.ts";
export { openRunFiles } from "./run-files.ts";
export { runFolderFiles } from "./run-folder.ts";
export { runLock } from "./run-lock.ts";
export type { WorkLog } from "./work-log.ts";
export { workLog } from "./work-log.ts";
