/**
 * What makes a run survive a kill: `journal.jsonl` holds what was decided, in logical order, and
 * `work.jsonl` what was done, in the order it was done. Resuming repeats the algorithm; whatever
 * the files hold is looked up instead of asked for. Knows nothing of how candidates are made.
 */
export type { Journal } from "./journal.ts";
export { journal } from "./journal.ts";
export { journalled } from "./journalled.ts";
export type { RecordedReplies } from "./recorded-replies.ts";
export { recordedReplies } from "./recorded-replies.ts";
export { reopenRun } from "./reopen-run.ts";
export { openRunFiles } from "./run-files.ts";
export { runFolderFiles } from "./run-folder.ts";
export { runLock } from "./run-lock.ts";
export type { WorkLog } from "./work-log.ts";
export { workLog } from "./work-log.ts";
