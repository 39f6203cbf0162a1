import { expect, it } from "vitest";
import { ledger } from "espalier/lm";
import type { RecordedRun } from "espalier/optimizer";
import { ledgerText } from "../../../src/cli/eval/evaluation-text.ts";
import { runLedgerText } from "../../../src/cli/show/run-text.ts";

it("What calls cost is told with the requests that were sent again, where there were any", () => {
  const costs = ledger();
  costs.addFailure("student");
  expect(ledgerText(costs.snapshot())[0]).toMatch(/, 1 failed calls$/);
  costs.addRetry("student");
  expect(ledgerText(costs.snapshot())[0]).toMatch(/, 1 failed calls, 1 retry$/);
  costs.addRetry("student", 6);
  const { student } = costs.snapshot().byRole;
  if (student === undefined) throw new Error("no student");
  expect(ledgerText(costs.snapshot())[0]).toMatch(/, 7 retries$/);
  const run = { billed: { student: student.billed } } as RecordedRun;
  const reports = { billed: { student: student.billed }, used: [], hasUnknown: false };
  expect(runLedgerText(run, reports)[0]).toMatch(
    /sent to the server: 2 calls.*, 2 failed calls, 14 retries$/,
  );
});
