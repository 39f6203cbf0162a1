import type { LmRole } from "../contract/index.ts";
import type { RecordedRun } from "../optimizer/index.ts";
import type { ReportedCosts } from "./reported-costs.ts";

type Counts = Readonly<Record<"calls" | "promptTokens" | "completionTokens", number>> & {
  readonly failedCalls?: number;
};

/** What search and reports took together, by role: the sums that `optimize` ends with. */
export function runLedgerText(
  { end, billed }: RecordedRun,
  reports: ReportedCosts,
): readonly string[] {
  const found = [end?.used ?? {}, billed, reports.billed, ...reports.used].flatMap(Object.keys);
  return [...new Set<LmRole>(["student", "reflection", ...(found as LmRole[])])].map((role) => {
    const onTest = sumOf(reports.used.map((used) => used[role]));
    const logical = sumOf([end?.used[role], onTest]);
    const sent = sumOf([billed[role], reports.billed[role]]);
    const told = [
      ...(end?.used[role] === undefined && onTest.calls === 0
        ? []
        : [
            `${logical.calls} calls${onTest.calls === 0 ? "" : `, ${onTest.calls} of them for test`}, ${tokensOf(logical)}`,
          ]),
      `billed ${sent.calls} calls, ${tokensOf(sent)}${sent.failedCalls === 0 ? "" : `, ${sent.failedCalls} failed calls`}`,
    ];
    return `${role}: ${told.join("; ")}`;
  });
}

function tokensOf({ promptTokens, completionTokens }: Counts): string {
  return `${promptTokens} prompt and ${completionTokens} completion tokens`;
}

function sumOf(parts: readonly (Counts | undefined)[]): Required<Counts> {
  const sum = { calls: 0, promptTokens: 0, completionTokens: 0, failedCalls: 0 };
  for (const part of parts) {
    sum.calls += part?.calls ?? 0;
    sum.promptTokens += part?.promptTokens ?? 0;
    sum.completionTokens += part?.completionTokens ?? 0;
    sum.failedCalls += part?.failedCalls ?? 0;
  }
  return sum;
}
