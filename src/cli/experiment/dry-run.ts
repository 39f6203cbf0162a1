import { EspalierError } from "../../errors/index.ts";
import { planEvaluation, planOptimization } from "../../optimizer/index.ts";
import type { OptimizerPlan, Price, PriceTable } from "../../optimizer/index.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { pricesOf } from "../lm/prices-of.ts";
import { standInModels } from "../lm/rehearsal-package.ts";
import { runServers } from "../lm/run-servers.ts";
import type { Parts } from "../../servers/index.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { readPrices } from "../optimize/budget-options.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";
import { print } from "../terminal/terminal.ts";
import type { DryRow, DryTable, MissingRow } from "./dry-run-text.ts";
import { dryRunText } from "./dry-run-text.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { experimentBudget } from "./experiment-budget.ts";
import { shippedExperiments } from "./list-experiments.ts";
import type { PreparedRow } from "./row/prepared-row.ts";
import { chosenExperiment, ownBudget, preparedRow } from "./row/prepared-row.ts";
import { tighter } from "./row/row-budget.ts";
import type { RowRecord } from "./row/row-record.ts";
import { readRow } from "./row/row-record.ts";

/**
 * Prints what each row would take, of one experiment or of all that are shipped. Asks no LM:
 * stand-ins play every part, since a row's size does not depend on them.
 */
export async function dryRun(given: ExperimentGiven): Promise<void> {
  const files = given.file === undefined ? shippedExperiments() : [given.file];
  const tables: DryTable[] = [];
  for (const file of files) tables.push(await dryTable(file, given));
  if (given.json) print(JSON.stringify({ experiments: tables }));
  else print(tables.map(dryRunText).join("\n\n"));
}

async function dryTable(file: string, given: ExperimentGiven): Promise<DryTable> {
  const seed = wholeNumber("seed", given.seed, 0);
  const budget = experimentBudget(given);
  const rate = given.rate === undefined ? undefined : finiteNumber("rate", given.rate, aboveZero);
  const parts = await partsToShow(given);
  const experiment = chosenExperiment(await loadExperiment(file, parts), given);
  const allPrices = await readPrices(given.prices);
  const rows: (DryRow | MissingRow)[] = [];
  for (const declared of experiment.rows) {
    try {
      const row = await preparedRow(experiment, declared, { given, parts, seed });
      const prices = allPrices ?? (await pricesOfRow(row, given));
      const measured =
        given.measured === undefined ? undefined : await readRow(given.measured, declared.name);
      rows.push(timed(declared.name, amountOf(row, { budget, prices, measured }), rate));
    } catch (error) {
      // Of an experiment that was asked for, that is refused; of all, the others are still to come.
      if (given.file !== undefined || !isMissingData(error)) throw error;
      rows.push({ row: declared.name, missing: error.report.problem });
    }
  }
  const { name, title, split } = experiment;
  return { file, name, title, split, ratePerMinute: rate ?? null, rows };
}

function isMissingData(error: unknown): error is EspalierError {
  return EspalierError.isInstance(error) && error.code === "file-missing";
}

/** Where no stand-ins are installed, those that will run: an index may then be built with them. */
async function partsToShow(given: ExperimentGiven): Promise<Parts> {
  if ((await standInModels()) !== undefined) return unaskedParts();
  return (await runServers(given, { roles: ["judge", "reflection"] })).parts;
}

interface Amount extends Omit<DryRow, "row" | "hours"> {
  /** By measurement; `undefined` if there is none. */
  readonly seconds: number | undefined;
}

function amountOf(
  row: PreparedRow,
  {
    budget,
    prices,
    measured,
  }: {
    readonly budget: ReturnType<typeof experimentBudget>;
    readonly prices: PriceTable | undefined;
    readonly measured: RowRecord | undefined;
  },
): Amount {
  const { study, examples, optimizer } = row;
  const priced = prices === undefined ? {} : { prices };
  const one = planEvaluation(study, { examples, runs: 1, ...priced });
  const own = optimizer === undefined ? undefined : tighter(ownBudget(row), budget);
  const plan =
    optimizer === undefined || own === undefined
      ? undefined
      : planOptimization(study, { optimizer, budget: own, ...priced });
  const searched = own?.metricCalls ?? (plan === undefined ? 0 : runsOf(plan, study, one.calls));
  const runs = examples.length + searched;
  const student = planEvaluation(study, { examples, runs, ...priced });
  const reflection = {
    calls: plan?.calls?.reflection ?? 0,
    promptTokens: plan?.costs?.reflection.promptTokens ?? 0,
    completionTokens: plan?.costs?.reflection.completionTokens.typical ?? 0,
  };
  const spent = measured?.done?.evaluation;
  const times = spent === undefined ? 0 : runs / spent.metricCalls;
  const { typical } = student.completionTokens;
  const ofStudent =
    spent === undefined
      ? { ...student, completionTokens: typical, usd: student.usd && student.usd.typical }
      : {
          calls: Math.round(times * spent.lmCalls),
          promptTokens: Math.round(times * spent.promptTokens),
          completionTokens: Math.round(times * spent.completionTokens),
          usd: spent.usd && times * spent.usd,
        };
  return {
    isMeasured: spent !== undefined,
    examples: examples.length,
    metricCalls: runs,
    calls: ofStudent.calls + reflection.calls,
    promptTokens: ofStudent.promptTokens + reflection.promptTokens,
    completionTokens: ofStudent.completionTokens + reflection.completionTokens,
    usd: ofStudent.usd === null ? null : ofStudent.usd + usdOf(reflection, prices?.reflection),
    seconds: spent && times * spent.seconds,
  };
}

/** Of a search without a cap on them; those of a program that asks no LM are counted otherwise. */
function runsOf(
  { calls, fullValidations }: OptimizerPlan,
  { trainset }: PreparedRow["study"],
  callsOfOne: number,
): number {
  if (callsOfOne > 0) return Math.round((calls?.student ?? 0) / callsOfOne);
  return (fullValidations ?? 0) * trainset.splits.val.length;
}

function usdOf(
  { promptTokens, completionTokens }: Pick<Amount, "promptTokens" | "completionTokens">,
  price: Price | undefined,
): number {
  if (price === undefined) return 0;
  const { promptUsdPerMillion, completionUsdPerMillion } = price;
  return (promptTokens * promptUsdPerMillion + completionTokens * completionUsdPerMillion) / 1e6;
}

/** By the given rate, or else by the time that was measured. */
function timed(row: string, { seconds, ...amount }: Amount, rate: number | undefined): DryRow {
  const hours = rate === undefined ? seconds && seconds / 3600 : amount.calls / rate / 60;
  return { row, ...amount, hours: hours ?? null };
}

/** None where nothing is configured. */
async function pricesOfRow(
  { study }: PreparedRow,
  given: ExperimentGiven,
): Promise<PriceTable | undefined> {
  return pricesOf(await runServers(given, { roles: ["judge", "reflection"] }), [study.program]);
}

const aboveZero = {
  accepts: (value: number) => value > 0,
  expected: "LM calls per minute, greater than 0",
};
