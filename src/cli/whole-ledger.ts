import type { LedgerSnapshot } from "../lm/index.ts";
import { ledger } from "../lm/index.ts";
import type { OptimizationResult, RecordedReplies } from "../optimizer/index.ts";

/** Of search and report together. */
export function wholeLedger(
  { ledger: search }: OptimizationResult,
  report: LedgerSnapshot,
  billed: ReturnType<RecordedReplies["billed"]>,
): LedgerSnapshot {
  const costs = ledger(search);
  const { student } = report.byRole;
  if (student !== undefined) {
    const entry = { logical: student.logical, billed: billed.student ?? student.billed };
    costs.merge({ total: entry, byRole: { student: entry } });
  }
  return costs.snapshot();
}
