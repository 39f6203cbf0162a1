import { existsSync, readFileSync } from "node:fs";

/** The counts of vitest's JSON report that are used here. */
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
}

const reports = process.argv
  .slice(2)
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, "utf8")) as Report);

const sum = (count: (report: Report) => number) =>
  reports.reduce((total, report) => total + count(report), 0);

const passed = sum((report) => report.numPassedTests);
// A file that does not load fails without failing a test; it counts as one.
const failed = sum((report) => (report.success ? 0 : Math.max(1, report.numFailedTests)));
const skipped = sum((report) => report.numPendingTests + report.numTodoTests);

console.log(`${passed} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : ""));
