/**
 * Makes a run survive a kill: `journal.jsonl` records what was decided, in logical order, and what
 * was done, in the order in which it was done. Resuming repeats the algorithm; anything the journal
 * holds is looked up instead of requested again. This folder does not know how candidates are
 * created.
 */
export type { RecordedReplies, RecordedRepliesOptions } from "./recorded-replies.ts";
export { recordedReplies, journalled } from "./recorded-replies.ts";
export { checkSameRun } from "./check-same-run.ts";
export type { OpenJournal } from "./open-journal.ts";
export { openJournal } from "./open-journal.ts";
export { runFolderFiles, runLock, stopFileDetail } from "./run-folder.ts";
export type { WorkLog } from "./work-log.ts";
export { workLog } from "./work-log.ts";
