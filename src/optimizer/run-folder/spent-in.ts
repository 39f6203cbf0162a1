import type { LedgerCounts } from "../../ledger/index.ts";
import type { PriceTable } from "../budget/index.ts";
import { costOfRoles } from "../budget/index.ts";
import { readWork } from "./read-work.ts";

/** What a file of recorded work says was spent. */
export interface RecordedSpending {
  /** Rollouts on file, of the last run in it. */
  readonly metricCalls: number;
  /** Replies of the reflection LM. */
  readonly reflectionCalls: number;
  /** Replies of all LMs, each once. */
  readonly lmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls that were sent to a server, with those that got no reply. */
  readonly billedCalls: number;
  /** In US dollars, calls of unknown end at their worst case; `null` without prices. */
  readonly usd: number | null;
  readonly seconds: number;
}

/**
 * What all processes that wrote to a file of recorded work spent together, whether or not the work
 * has ended; nothing if there is no file.
 */
export function spentIn(path: string, prices: PriceTable | undefined): RecordedSpending {
  const log = readWork(path);
  const { total, byRole } = log.costs();
  const answered = ({ calls, failedCalls }: LedgerCounts): number => calls - failedCalls;
  return {
    metricCalls: log.counts.rollouts,
    reflectionCalls: byRole.reflection === undefined ? 0 : answered(byRole.reflection.logical),
    lmCalls: answered(total.logical),
    promptTokens: total.logical.promptTokens,
    completionTokens: total.logical.completionTokens,
    billedCalls: total.billed.calls,
    usd: prices === undefined ? null : costOfRoles(log.billed(), prices) + log.unendedUsd,
    seconds: log.elapsedMs / 1000,
  };
}
