/**
 * The folder's second entry point, for commands that report on test in words of their own. Loads
 * what runs programs.
 */
export type { ReportOnTest } from "./on-test/report-on-test.ts";
export { reportInContext, totalCosts } from "./on-test/report-on-test.ts";
export { optimizationArtifact } from "./on-test/optimization-artifact.ts";
export type { TestReport } from "./on-test/test-report.ts";
export { isClaimable, repeatedRows, reportData, testReport } from "./on-test/test-report.ts";
