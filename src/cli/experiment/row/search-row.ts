import type { LedgerSnapshot } from "../../../ledger/index.ts";
import { ledger } from "../../../ledger/index.ts";
import type { Budget, OptimizationResult, PriceTable } from "../../../optimizer/index.ts";
import { spentIn } from "../../../optimizer/index.ts";
import { runFolderFiles, runIn } from "../../../optimizer/files.ts";
import { valueText, stopReasons } from "../../terminal/search-text.ts";
import type { OpenedLms } from "../../lm/open-lms.ts";
import type { RunServers } from "../../lm/run-servers.ts";
import { writeFileAtomic } from "../../../storage/index.ts";
import { runSearch } from "../../optimize/run-search.ts";
import type { ChosenExperiment, PreparedRow } from "./prepared-row.ts";
import { charged } from "./row-budget.ts";
import type { RowDone, RowRecord, Spent } from "./row-record.ts";
import { rowFiles } from "./row-record.ts";

/** What a row runs with. */
export interface RowRun {
  readonly experiment: ChosenExperiment;
  readonly runFolder: string;
  readonly opened: OpenedLms;
  readonly servers: RunServers;
  /** What the row is; its result is not on file yet. */
  readonly record: RowRecord;
  /** What is left of the experiment's budget after all other rows. */
  readonly left: Budget;
  /** What an optimization that begins now may spend. */
  readonly share: Budget;
  readonly prices: PriceTable | undefined;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** The program to score, and what finding it took. */
export interface RowSearch {
  readonly program: PreparedRow["study"]["program"];
  readonly ledger: LedgerSnapshot;
  /** Absent for a row that is scored as it is. */
  readonly spent?: Spent;
  readonly cutShort: RowDone["cutShort"];
  /** What counts against the experiment's budget. */
  readonly charged: readonly Budget[];
  readonly optimized?: string;
}

/**
 * Runs the row's optimizer, under the budget in the row's record; resumes the run in the row's
 * folder if there is one.
 */
export async function searchRow(
  { declared, study, optimizer }: PreparedRow,
  { runFolder, opened, record, prices, seed, signal }: RowRun,
): Promise<RowSearch> {
  if (optimizer === undefined) {
    const cutShort = { lmCalls: 0, tokens: 0 };
    return { program: study.program, ledger: ledger().snapshot(), cutShort, charged: [] };
  }
  const { folder, candidate } = rowFiles(runFolder, declared.name);
  const { hasJournal, hasWork } = runIn(folder);
  const { lm, lms, mocks, reflectionLm, judgeLm, concurrency } = opened;
  const result = await runSearch(
    study,
    {
      optimizer,
      budget: record.budget,
      ...(prices && { prices }),
      seed,
      lm,
      lms,
      mocks,
      ...(reflectionLm && { reflectionLm }),
      ...(judgeLm && { judgeLm }),
      concurrency,
      runFolder: folder,
      resume: hasJournal || hasWork,
      signal,
    },
    { choice: undefined, resumeNotice: null },
  );
  await writeFileAtomic(candidate, `${JSON.stringify(result.components)}\n`);
  const spent = spentOf(result);
  const cutShort = cutShortOf(result, spentIn(runFolderFiles(folder).work, prices));
  return {
    program: result.program,
    ledger: result.ledger,
    spent,
    cutShort,
    charged: [charged(spent), cutShort],
    optimized: searchText(result),
  };
}

function spentOf({ spent, ledger: costs, costUsd, seconds }: OptimizationResult): Spent {
  const { logical, billed } = costs.total;
  return {
    metricCalls: spent.metricCalls,
    reflectionCalls: spent.reflectionCalls,
    lmCalls: spent.lmCalls,
    promptTokens: logical.promptTokens,
    completionTokens: logical.completionTokens,
    billedCalls: billed.calls,
    usd: costUsd,
    seconds,
  };
}

/** A result that is read back no longer knows of the step that was cut short; its file does. */
function cutShortOf({ cutShort, spent }: OptimizationResult, onFile: Spent): RowDone["cutShort"] {
  const cut = Object.values(cutShort);
  const calls = cut.reduce((sum, each) => sum + each.calls, 0);
  const tokens = cut.reduce((sum, each) => sum + each.promptTokens + each.completionTokens, 0);
  return {
    lmCalls: Math.max(calls, onFile.lmCalls - spent.lmCalls),
    tokens: Math.max(tokens, onFile.promptTokens + onFile.completionTokens - spent.tokens),
  };
}

function searchText({ reason, detail, candidates, best, spent }: OptimizationResult): string {
  const why = `${stopReasons[reason]}${detail === undefined ? "" : ` (${detail})`}`;
  const [seed] = candidates;
  const values =
    seed === undefined
      ? ""
      : `, ${valueText(seed.selection, seed)} to ${valueText(best.selection, seed)} on val`;
  return `${why} after ${spent.metricCalls} metric calls; candidate ${best.id} of ${candidates.length - 1} accepted${values}`;
}
