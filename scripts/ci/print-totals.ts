import { existsSync, readFileSync } from "node:fs";

/** The counts used from vitest's JSON report. */
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

const reports = process.argv
  .slice(2)
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, "utf8")) as Report);

const passed = sum((report) => report.numPassedTests);
// A file that fails to load fails the run without a failed test, so it counts as one.
const failed = sum(({ success, numFailedTests }) => (success ? 0 : Math.max(1, numFailedTests)));
const skipped = sum((report) => report.numPendingTests + report.numTodoTests);

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function sum(count: (report: Report) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}
