import type { EspalierError } from "../../errors/index.ts";
import type { PriceTable } from "../../optimizer/index.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { pricesOf } from "../lm/prices-of.ts";
import type { RehearsedParts } from "../lm/rehearsed-parts.ts";
import { rehearsedParts } from "../lm/rehearsed-parts.ts";
import { runServers } from "../lm/run-servers.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { readPrices } from "../optimize/budget-options.ts";
import { print } from "../terminal/terminal.ts";
import type { DryAmount } from "./dry-amount.ts";
import { dryAmount } from "./dry-amount.ts";
import type { DryRow, DryTable, RefusedDryRow } from "./dry-run-text.ts";
import { dryRunText } from "./dry-run-text.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { experimentBudget } from "./experiment-budget.ts";
import { isShipped, shippedExperiments } from "./list-experiments.ts";
import { rehearsedRuns } from "./rehearsed-runs.ts";
import { checkRow } from "./row/check-row.ts";
import type { PreparedRow } from "./row/prepared-row.ts";
import { chosenExperiment, preparedRow } from "./row/prepared-row.ts";
import { isFaultOfPreparation } from "./row/row-fault.ts";
import { readRow } from "./row/row-record.ts";

/**
 * Prints what each row would take, of one experiment or of all that are shipped. Asks no server:
 * stand-ins play every part, and the rehearsal LM ranks and judges where an LM will. Shipped
 * experiments take all their parts from the run, so that a few examples of each row can be
 * rehearsed; others are rehearsed if `--rehearsal` asks for it, since they may hold parts of their
 * own.
 */
export async function dryRun(given: ExperimentGiven): Promise<void> {
  const files = given.file === undefined ? shippedExperiments() : [given.file];
  using interrupt = abortOnInterrupt();
  const tables: DryTable[] = [];
  for (const file of files) {
    const rehearses = given.measured === undefined && (isShipped(file) || given.rehearsal);
    tables.push(await dryTable(file, given, rehearses ? interrupt.signal : undefined));
  }
  if (given.json) print(JSON.stringify({ experiments: tables }));
  else print(tables.map(dryRunText).join("\n\n"));
}

/** @param signal ends rehearsed runs; `undefined`: rehearse nothing */
async function dryTable(
  file: string,
  given: ExperimentGiven,
  signal: AbortSignal | undefined,
): Promise<DryTable> {
  const seed = wholeNumber("seed", given.seed, 0);
  const budget = experimentBudget(given);
  const rate = given.rate === undefined ? undefined : finiteNumber("rate", given.rate, aboveZero);
  const { parts, ranksByLm } = await partsToRehearse(given);
  const experiment = chosenExperiment(await loadExperiment(file, parts), given);
  const allPrices = await readPrices(given.prices);
  const faults: EspalierError[] = [];
  const rows: (DryRow | RefusedDryRow)[] = [];
  for (const declared of experiment.rows) {
    try {
      const row = await preparedRow(experiment, declared, { given, parts, seed });
      const prices = allPrices ?? (await pricesOfRow(row, given, ranksByLm));
      checkRow(row, { budget, prices });
      const measured =
        given.measured === undefined ? undefined : await readRow(given.measured, declared.name);
      const rehearsed =
        signal === undefined ? undefined : await rehearsedRuns(row, { seed, signal });
      const spent = measured?.done?.evaluation;
      const amount = dryAmount(row, { budget, prices, measured: spent, rehearsed });
      rows.push(timed(declared.name, amount, rate));
    } catch (error) {
      if (!isFaultOfPreparation(error)) throw error;
      faults.push(error);
      rows.push({ row: declared.name, notRun: error.report.problem });
    }
  }
  // Of all that are shipped, the other experiments are still to come.
  const [first] = faults;
  if (given.file !== undefined && first !== undefined) {
    if (faults.length === rows.length) throw first;
    process.exitCode = exitCodes.misused;
  }
  const { name, title, split } = experiment;
  return { file, name, title, split, ratePerMinute: rate ?? null, rows };
}

/** Where no stand-ins are installed, those that will run: an index may then be built with them. */
async function partsToRehearse(given: ExperimentGiven): Promise<RehearsedParts> {
  const rehearsed = await rehearsedParts(given);
  if (rehearsed !== undefined) return rehearsed;
  const { parts } = await runServers(given, { roles: ["judge", "reflection"] });
  return { parts, ranksByLm: false };
}

/** By the given rate, or else by the time that was measured. */
function timed(row: string, { seconds, ...amount }: DryAmount, rate: number | undefined): DryRow {
  const hours = rate === undefined ? seconds && seconds / 3600 : amount.calls / rate / 60;
  return { row, ...amount, hours: hours ?? null };
}

/** None where nothing is configured. */
async function pricesOfRow(
  { study }: PreparedRow,
  given: ExperimentGiven,
  ranksByLm: boolean,
): Promise<PriceTable | undefined> {
  // Here `--rehearsal` says how to estimate, and not who will answer.
  const answering = { ...given, rehearsal: false };
  const servers = await runServers(answering, { roles: ["judge", "reflection"] });
  // The price of ranking is known once a reranker is taken.
  if (ranksByLm) servers.parts.reranker();
  return pricesOf(servers, [study.program]);
}

const aboveZero = {
  accepts: (value: number) => value > 0,
  expected: "LM calls per minute, greater than 0",
};
