import type { LmRole } from "../../contract/index.ts";
import type { RecordedRun } from "../../optimizer/index.ts";
import { retriesText } from "../terminal/retries-text.ts";
import type { ReportedCosts } from "../reports/reported-costs.ts";

type Counts = Readonly<Record<"calls" | "promptTokens" | "completionTokens", number>> & {
  readonly failedCalls?: number;
  readonly retries?: number;
};

/**
 * What search and reports took together, by role: the sums that `optimize` ends with, where all of it is
 * known.
 */
export function runLedgerText(
  { end, billed }: RecordedRun,
  reports: ReportedCosts,
): readonly string[] {
  const found = [end?.used ?? {}, billed, reports.billed, ...reports.used].flatMap(Object.keys);
  const byRole = [...new Set<LmRole>(["student", "reflection", ...(found as LmRole[])])].map(
    (role) => {
      const onTest = sumOf(reports.used.map((used) => used[role]));
      const logical = sumOf([end?.used[role], onTest]);
      const sent = sumOf([billed[role], reports.billed[role]]);
      const told = [
        ...(end?.used[role] === undefined && onTest.calls === 0
          ? []
          : [
              `${logical.calls} calls${onTest.calls === 0 ? "" : `, ${onTest.calls} of them for test`}, ${tokensOf(logical)}`,
            ]),
        `billed ${sent.calls} calls, ${tokensOf(sent)}${sent.failedCalls === 0 ? "" : `, ${sent.failedCalls} failed calls`}${retriesText(sent)}`,
      ];
      return `${role}: ${told.join("; ")}`;
    },
  );
  if (!reports.hasUnknown) return byRole;
  return [
    ...byRole,
    "of a report on test the calls are not known, but for what was billed: it did not come to its end, or an older version made it",
  ];
}

function tokensOf({ promptTokens, completionTokens }: Counts): string {
  return `${promptTokens} prompt and ${completionTokens} completion tokens`;
}

function sumOf(parts: readonly (Counts | undefined)[]): Required<Counts> {
  const sum = { calls: 0, promptTokens: 0, completionTokens: 0, failedCalls: 0, retries: 0 };
  for (const part of parts) {
    sum.calls += part?.calls ?? 0;
    sum.promptTokens += part?.promptTokens ?? 0;
    sum.completionTokens += part?.completionTokens ?? 0;
    sum.failedCalls += part?.failedCalls ?? 0;
    sum.retries += part?.retries ?? 0;
  }
  return sum;
}
