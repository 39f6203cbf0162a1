import type { LmRole } from "../../contract/index.ts";
import type { RecordedRun } from "../../optimizer/index.ts";
import { retriesText, uncountedText } from "../terminal/retries-text.ts";
import type { ReportedCosts } from "../reports/reported-costs.ts";

type Counts = Readonly<Record<"calls" | "promptTokens" | "completionTokens", number>> & {
  readonly failedCalls?: number;
  readonly retries?: number;
  readonly uncountedCalls?: number;
};

/**
 * Formats the costs of search and reports together, by role. If all costs are known, these are the
 * sums that `optimize` prints at its end.
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
      const costs = [
        ...(end?.used[role] === undefined && onTest.calls === 0
          ? []
          : [
              `${logical.calls} calls${onTest.calls === 0 ? "" : `, ${onTest.calls} of them for test`}, ${tokensOf(logical)}`,
            ]),
        `billed ${sent.calls} calls, ${tokensOf(sent)}${sent.failedCalls === 0 ? "" : `, ${sent.failedCalls} failed calls`}${retriesText(sent)}`,
      ];
      return `${role}: ${costs.join("; ")}`;
    },
  );
  if (!reports.hasUnknown) return byRole;
  return [
    ...byRole,
    "the calls of one or more reports on test are unknown, except what was billed: the report did not complete",
  ];
}

function tokensOf(counts: Counts): string {
  const { promptTokens, completionTokens } = counts;
  return `${promptTokens} prompt and ${completionTokens} completion tokens${uncountedText(counts)}`;
}

function sumOf(parts: readonly (Counts | undefined)[]): Required<Counts> {
  const sum = {
    calls: 0,
    uncountedCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
    failedCalls: 0,
    retries: 0,
  };
  for (const part of parts) {
    sum.calls += part?.calls ?? 0;
    sum.promptTokens += part?.promptTokens ?? 0;
    sum.completionTokens += part?.completionTokens ?? 0;
    sum.failedCalls += part?.failedCalls ?? 0;
    sum.retries += part?.retries ?? 0;
    sum.uncountedCalls += part?.uncountedCalls ?? 0;
  }
  return sum;
}
