import { breakdownTable } from "./breakdown-table.ts";
import type { Experiment } from "./experiment.ts";
import type { RowOutcome } from "./row-outcome.ts";
import { withFigures } from "./with-figures.ts";

/**
 * Throws what the table would throw over one row's figures and breakdowns: right after the row, and
 * not after all that follow it.
 *
 * @throws EspalierError `experiment-invalid`, and what a function of the experiment throws
 */
export function checkOutcome(
  { figures = [], breakdowns = [] }: Experiment,
  outcome: RowOutcome,
): void {
  const figured = withFigures(outcome, figures);
  const options = { metrics: undefined, resamples: 0, published: [] };
  for (const each of breakdowns) breakdownTable(each, [figured], options);
}
