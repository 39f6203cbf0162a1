/**
 * The folder's second entry point, for code that reads a run's folder and chooses among its
 * candidates. Loads nothing that searches.
 */
export { costOfRoles } from "./budget/index.ts";
export { candidateMeasures, shownQuality } from "./candidate/candidate-measures.ts";
export { chooseCandidate } from "./candidate/choose-candidate.ts";
export { creditEstimate } from "./candidate/candidate-record.ts";
export { drawnName, runFolderFiles, runIn } from "./run-folder/run-folder.ts";
export type { JournalTail } from "./run-folder/journal.ts";
export { journalTail } from "./run-folder/journal.ts";
export { billedIn, readWork, workLinesIn, readRun } from "./run-folder/read-run.ts";
export { recordedOnly } from "./run-folder/journalled.ts";
export type { ReportedFigure, ReportsFile, ScoresOnTest } from "./run-folder/reports-file.ts";
export { readReports, writeReports } from "./run-folder/reports-file.ts";
export { runDecisions } from "./run-folder/run-decisions.ts";
