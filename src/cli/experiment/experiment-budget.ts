import type { Budget, PriceTable } from "../../optimizer/index.ts";
import { checkBudget } from "../../optimizer/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { budgetOf } from "../optimize/budget-options.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";

/**
 * The caps over all rows. There may be none: evaluations end by themselves, and optimizers have
 * budgets of their own.
 *
 * @throws EspalierError `usage-invalid`
 */
export function experimentBudget(given: ExperimentGiven): Budget {
  // Sizes by name refer to one study's val.
  if (given.budget !== undefined) wholeNumber("budget", given.budget, 1);
  return budgetOf(given, { endsByItself: true }, 1);
}

/**
 * Rejects a cap on money for a row whose LMs have no prices.
 *
 * @throws EspalierError `option-invalid`
 */
export function checkPrices(
  { costUsd }: Budget,
  prices: PriceTable | undefined,
  { optimizes, judges }: { readonly optimizes: boolean; readonly judges: boolean },
): void {
  if (costUsd === undefined) return;
  checkBudget(
    { costUsd },
    {
      prices,
      endsByItself: true,
      roles: [
        "student",
        ...(optimizes ? (["reflection"] as const) : []),
        ...(judges ? (["judge"] as const) : []),
      ],
    },
  );
}
