import { failureOf } from "../../../errors/index.ts";
import { checkInputs } from "../../../internal/index.ts";
import type { Budget, PriceTable } from "../../../optimizer/index.ts";
import { planOptimization } from "../../../optimizer/index.ts";
import type { PreparedRow } from "./prepared-row.ts";
import { ownBudget } from "./prepared-row.ts";
import { tighter } from "./row-budget.ts";

/**
 * Rejects a row that would fail before its first call: examples that its program cannot take, and
 * data or settings that its optimizer cannot use. A budget that is too small is no fault: more may
 * be left than the row would get now.
 *
 * @throws EspalierError `input-invalid`, and what `planOptimization()` throws
 */
export function checkRow(
  row: PreparedRow,
  { budget, prices }: { readonly budget: Budget; readonly prices: PriceTable | undefined },
): void {
  const { study, examples, optimizer } = row;
  checkInputs(study.program, examples);
  if (optimizer === undefined) return;
  try {
    const own = tighter(ownBudget(row), budget);
    planOptimization(study, { optimizer, budget: own, ...(prices && { prices }) });
  } catch (error) {
    if (failureOf(error).kind !== "budget") throw error;
  }
}
