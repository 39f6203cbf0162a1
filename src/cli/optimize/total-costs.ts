import type { LmRole } from "../../contract/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import type { OptimizationResult, RecordedReplies } from "../../optimizer/index.ts";

/** The costs of search, report and the run's other parts together. */
export function totalCosts(
  { ledger: search }: Pick<OptimizationResult, "ledger">,
  report: LedgerSnapshot,
  billed: ReturnType<RecordedReplies["billed"]>,
  parts: LedgerSnapshot,
): LedgerSnapshot {
  const costs = ledger(search);
  for (const [role, reported] of Object.entries(report.byRole)) {
    const entry = { logical: reported.logical, billed: billed[role as LmRole] ?? reported.billed };
    costs.merge({ total: entry, byRole: { [role]: entry } });
  }
  costs.merge(parts);
  return costs.snapshot();
}
