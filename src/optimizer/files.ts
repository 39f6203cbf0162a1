/**
 * The folder's second entry point, for code that reads a run's folder and chooses among its
 * candidates. Loads nothing that searches.
 */
export { costOfRoles } from "./budget/index.ts";
export { candidateMeasures, shownQuality } from "./candidate/candidate-measures.ts";
export { chooseCandidate } from "./candidate/choose-candidate.ts";
export { holdsRun, runFolderFiles, stopFileDetail } from "./run-folder/run-folder.ts";
export type { JournalTail } from "./run-folder/journal.ts";
export { journalTail } from "./run-folder/journal.ts";
export { hasDecisions, readRun, runDecisions } from "./run-folder/read-run.ts";
export { billedIn, readWork, repliesIn } from "./run-folder/work-log.ts";
export { recordedOnly } from "./run-folder/recorded-replies.ts";
export type { ReportedFigure, ReportsFile, ScoresOnTest } from "./run-folder/reports-file.ts";
export { readReports, writeReports } from "./run-folder/reports-file.ts";
