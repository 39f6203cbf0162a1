import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import { ledger } from "../../ledger/index.ts";
import { ledgered } from "../../lm/index.ts";
import { rehearsalPackage } from "../lm/rehearsal-package.ts";
import type { PreparedRow } from "./row/prepared-row.ts";

/** What the rehearsal LM was asked over a few runs of a row, judgements included. */
export interface RehearsedRuns {
  readonly runs: number;
  readonly byRole: LedgerSnapshot["byRole"];
}

/** Examples of a row that are run. */
const most = 8;

/**
 * Runs a row on a few of its examples, spread evenly over the split, with the rehearsal LM in every
 * role. `undefined` where that is not installed, or where the row cannot run with it.
 */
export async function rehearsedRuns(
  { study, examples }: PreparedRow,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<RehearsedRuns | undefined> {
  const count = Math.min(most, examples.length);
  const sample = Array.from({ length: count }, (_, place) =>
    examples.slice(Math.floor((place * examples.length) / count)).slice(0, 1),
  ).flat();
  const costs = ledger();
  try {
    const lm: LanguageModel = (await rehearsalPackage()).rehearsalLm();
    await evaluate({
      program: study.program,
      examples: sample,
      metric: study.objective,
      lm: ledgered(lm, costs),
      faultRetries: 0,
      resamples: 0,
      seed,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
  return { runs: count, byRole: costs.snapshot().byRole };
}
