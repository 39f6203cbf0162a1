import type { EspalierError } from "../../errors/index.ts";
import type { Budget, OptimizerPlan, PriceTable } from "../../optimizer/index.ts";
import { costOfRoles, planEvaluation, planOptimization } from "../../optimizer/index.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { pricesOf } from "../lm/predictor-lms.ts";
import type { Parts, Servers } from "../../servers/index.ts";
import { parts, mockMark } from "../../servers/index.ts";
import { mockModels } from "../lm/rehearsal-package.ts";
import type { ServersGiven } from "../lm/run-servers.ts";
import { onlyLm, runServers, serversFile } from "../lm/run-servers.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { readPrices } from "../optimize/budget-options.ts";
import { print } from "../terminal/terminal.ts";
import { mapValues } from "../../internal/index.ts";
import type { RehearsedRuns } from "./rehearsed-runs.ts";
import { rehearsedRuns } from "./rehearsed-runs.ts";
import { checkRow, tighter } from "./row/row-budget.ts";
import type { Spent } from "./row/row-record.ts";
import { readRow } from "./row/row-record.ts";
import type { DryRow, DryTable, RefusedDryRow } from "./dry-run-text.ts";
import { dryRunText } from "./dry-run-text.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { experimentBudget } from "./experiment-budget.ts";
import { isShipped, shippedExperiments } from "./list-experiments.ts";
import type { PreparedRow } from "./row/prepared-row.ts";
import { chosenExperiment, ownBudget, preparedRow } from "./row/prepared-row.ts";
import { isFaultOfPreparation } from "./row/row-fault.ts";

/**
 * Prints what each row would take, of one experiment or of all that are shipped. Asks no server:
 * mocks play every part, and the rehearsal LM ranks and judges where an LM will. Shipped
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

/** Where no mocks are installed, those that will run: an index may then be built with them. */
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

/** What a row would take, without its name; hours follow from a rate. */
interface DryAmount extends Omit<DryRow, "row" | "hours"> {
  /** By measurement; `undefined` if there is none. */
  readonly seconds: number | undefined;
}

interface DryAmountOptions {
  /** The experiment's caps. */
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  /** What the row's score took on a sample. */
  readonly measured: Spent | undefined;
  readonly rehearsed: RehearsedRuns | undefined;
}

type Costs = Pick<DryAmount, "calls" | "promptTokens" | "completionTokens" | "usd">;

/**
 * What scoring a row takes, and its optimization before: by a measured run, or else by rehearsed
 * ones, or else by one call of each predictor.
 */
function dryAmount(row: PreparedRow, options: DryAmountOptions): DryAmount {
  const { budget, prices, measured, rehearsed } = options;
  const { study, examples, optimizer } = row;
  const own = optimizer === undefined ? undefined : tighter(ownBudget(row), budget);
  const plan =
    optimizer === undefined || own === undefined
      ? undefined
      : planOptimization(study, { optimizer, budget: own, ...(prices && { prices }) });
  const searched = own?.metricCalls ?? (plan === undefined ? 0 : runsOf(plan, row));
  const perRun = callsOfRun(options);
  const affordable = perRun > 0 ? Math.floor((own?.lmCalls ?? Infinity) / perRun) : Infinity;
  const runs = examples.length + Math.min(searched, affordable);
  const student = costsOf(row, runs, options);
  const reflection = {
    calls: plan?.calls?.reflection ?? 0,
    promptTokens: plan?.costs?.reflection.promptTokens ?? 0,
    completionTokens: plan?.costs?.reflection.completionTokens.typical ?? 0,
  };
  return {
    basis: measured !== undefined ? "measured" : rehearsed !== undefined ? "rehearsal" : "prompts",
    examples: examples.length,
    metricCalls: runs,
    calls: student.calls + reflection.calls,
    promptTokens: student.promptTokens + reflection.promptTokens,
    completionTokens: student.completionTokens + reflection.completionTokens,
    usd: student.usd === null ? null : student.usd + costOfRoles({ reflection }, prices),
    seconds: measured && (runs / measured.metricCalls) * measured.seconds,
  };
}

/** Of a search without a cap on them; those of a program that asks no LM are counted otherwise. */
function runsOf({ calls, fullValidations }: OptimizerPlan, { study }: PreparedRow): number {
  const predictors = Object.keys(study.program.predictors).length;
  const { student = 0, teacher = 0 } = calls ?? {};
  if (predictors > 0) return Math.round((student + teacher) / predictors);
  return (fullValidations ?? 0) * study.trainset.splits.val.length;
}

/** LM calls of one run where they are known better than by the plan; else 0. */
function callsOfRun({ measured, rehearsed }: DryAmountOptions): number {
  if (measured !== undefined) return measured.lmCalls / measured.metricCalls;
  if (rehearsed === undefined) return 0;
  return (
    Object.values(rehearsed.byRole).reduce((sum, { calls }) => sum + calls, 0) / rehearsed.runs
  );
}

function costsOf(
  { study, examples }: PreparedRow,
  runs: number,
  { prices, measured, rehearsed }: DryAmountOptions,
): Costs {
  if (measured !== undefined) {
    const times = runs / measured.metricCalls;
    return {
      calls: Math.round(times * measured.lmCalls),
      promptTokens: Math.round(times * measured.promptTokens),
      completionTokens: Math.round(times * measured.completionTokens),
      usd: measured.usd && times * measured.usd,
    };
  }
  if (rehearsed === undefined) {
    const plan = planEvaluation(study, { examples, runs, ...(prices && { prices }) });
    const { typical } = plan.completionTokens;
    return { ...plan, completionTokens: typical, usd: plan.usd && plan.usd.typical };
  }
  const times = runs / rehearsed.runs;
  const byRole = mapValues(rehearsed.byRole, ({ calls, promptTokens, completionTokens }) => ({
    calls: Math.round(times * calls),
    promptTokens: Math.round(times * promptTokens),
    completionTokens: Math.round(times * completionTokens),
  }));
  const inAll = (of: "calls" | "promptTokens" | "completionTokens"): number =>
    Object.values(byRole).reduce((sum, role) => sum + role[of], 0);
  return {
    calls: inAll("calls"),
    promptTokens: inAll("promptTokens"),
    completionTokens: inAll("completionTokens"),
    usd: prices === undefined ? null : costOfRoles(byRole, prices),
  };
}

/** Mocks for every part, but where the run will ask an LM. */
interface RehearsedParts {
  readonly parts: Parts;
  /** Whether the servers file has an LM rank passages. */
  readonly ranksByLm: boolean;
}

/**
 * Parts to rehearse a run with that asks no server: what asks an LM in the run, to rank or to
 * judge, asks the rehearsal LM. `--rehearsal` sets no part aside that the servers file names. Where
 * nothing is named, a real LM will judge, unless the run is to be a rehearsal. `undefined` where no
 * mocks are installed.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
async function rehearsedParts(given: ServersGiven): Promise<RehearsedParts | undefined> {
  const models = await mockModels();
  if (models === undefined) return undefined;
  const file = await serversFile(given.servers);
  const reranker = rerankingLm(file);
  return {
    parts: parts({
      fillsGaps: true,
      mockModels: models,
      judge: judgeOf(given, file) === mockMark ? undefined : "server",
      ...(reranker && { servers: { ...noLms, reranker } }),
    }),
    ranksByLm: reranker !== undefined,
  };
}

function rerankingLm(file: Servers | undefined): { readonly lm: string } | undefined {
  const reranker = file?.reranker;
  return typeof reranker === "object" && "lm" in reranker ? reranker : undefined;
}

/** Who judges, as far as anybody is named. */
function judgeOf(given: ServersGiven, file: Servers | undefined): string | undefined {
  const answer = given.lm ?? file?.roles.answer ?? onlyLm(file);
  const judge = given["judge-lm"] ?? file?.roles.judge ?? answer;
  return judge ?? (given.rehearsal ? mockMark : undefined);
}

const noLms: Servers = { format: "espalier-servers/1", lms: {}, roles: {}, predictors: {} };
