import type { Example, JsonObject, SplitName } from "../../contract/index.ts";
import { EspalierError, failureOf, messageOf } from "../../errors/index.ts";
import type { Experiment, ExperimentRow } from "../../experiment/files.ts";
import { checkFigureNames, publishedOn } from "../../experiment/index.ts";
import { checkInputs, contentHash } from "../../internal/index.ts";
import type { Budget, Optimizer, PriceTable } from "../../optimizer/index.ts";
import { autoSearch, checkBudget, hashOfGold, planOptimization } from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import type { Drawn } from "../eval/draw-examples.ts";
import { drawExamples } from "../eval/draw-examples.ts";
import { variantOf } from "../load/choose-study.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { pricesOf } from "../lm/predictor-lms.ts";
import type { RunServers } from "../lm/run-servers.ts";
import { runServers } from "../lm/run-servers.ts";
import { budgetOf, readPrices } from "../optimize/budget-options.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { tighter } from "./row-budget.ts";

/** A row that is ready to run. */
export interface LoadedRow {
  readonly declared: ExperimentRow;
  /** The variant, with the row's candidate. */
  readonly study: Study;
  readonly examples: readonly Example[];
  readonly drawn: Drawn;
  /** Absent for a row that is scored as it is. */
  readonly optimizer?: Optimizer;
  /** The row's own: its parts are the mocks and servers of this row alone. */
  readonly servers: RunServers;
  readonly prices: PriceTable | undefined;
  /** Everything that its figures depend on, besides the models: the same again when resumed. */
  readonly description: JsonObject;
}

/** What the command line requests, checked as far as possible before any cost is incurred. */
export interface LoadedExperiment {
  readonly given: ExperimentGiven;
  /** With the split that its rows are scored on. */
  readonly experiment: Experiment & { readonly split: SplitName };
  readonly rows: readonly LoadedRow[];
  /** Caps over all rows; there may be none, since searches have budgets of their own. */
  readonly budget: Budget;
  readonly seed: number;
}

/**
 * @throws EspalierError the first row's fault, and whatever concerns more than one row
 */
export async function loadRows(given: ExperimentGiven): Promise<LoadedExperiment> {
  const { file = "" } = given;
  const seed = wholeNumber("seed", given.seed, 0);
  // Sizes by name refer to one study's val.
  if (given.budget !== undefined) wholeNumber("budget", given.budget, 1);
  const budget = budgetOf(given, { endsByItself: true }, 1);
  const allPrices = await readPrices(given.prices);
  const load = async () => {
    const servers = await runServers(given, { roles: ["judge", "reflection"] });
    const declared = await loadExperiment(file, servers.parts);
    return { servers, experiment: { ...declared, split: given.split ?? declared.split ?? "test" } };
  };
  const { experiment } = await load();
  const rows: LoadedRow[] = [];
  for (const [index, { name }] of experiment.rows.entries()) {
    const { servers, experiment: own } = await load();
    const declared = own.rows[index];
    if (declared === undefined) continue;
    try {
      rows.push(await loadedRow(own, declared, { given, servers, allPrices, budget, seed }));
    } catch (error) {
      throw EspalierError.isInstance(error) ? inRow(name, error) : unusable(name, error);
    }
  }
  return { given, experiment, rows, budget, seed };
}

/** What a row's study throws that is no error of ours. */
function unusable(name: string, error: unknown): EspalierError {
  return new EspalierError({
    code: "study-invalid",
    problem: `The study cannot be created: ${messageOf(error)}`,
    where: `row ${name}`,
    cause: error,
  });
}

/** An error that says which row it is about; one that is not ours, as it is. */
export function inRow(name: string, error: unknown): unknown {
  if (!EspalierError.isInstance(error)) return error;
  const { code, report } = error;
  const where = [`row ${name}`, report.where].filter((part) => part !== undefined).join(", ");
  return new EspalierError({ code, ...report, where, cause: error });
}

/** Builds a row's study of its own parts, so that the mocks it takes are known apart. */
async function loadedRow(
  experiment: LoadedExperiment["experiment"],
  declared: ExperimentRow,
  {
    given,
    servers,
    allPrices,
    budget,
    seed,
  }: Pick<LoadedExperiment, "given" | "budget" | "seed"> & {
    readonly servers: RunServers;
    readonly allPrices: PriceTable | undefined;
  },
): Promise<LoadedRow> {
  const { split } = experiment;
  const { study: made, variant, candidate, optimize = false } = declared;
  const found = typeof made === "function" ? await made(servers.parts) : made;
  const chosen = await variantOf(found, given.trainset ?? variant);
  const { objective } = chosen;
  checkFigureNames(experiment.figures ?? [], [objective.name]);
  publishedOn(declared.published ?? [], {
    objective: objective.name,
    trainset: chosen.trainset.name,
  });
  const program = candidate === undefined ? chosen.program : chosen.program.with(candidate);
  const study = { ...chosen, program };
  const taken = drawExamples(study.trainset, { split, sample: given.sample, seed });
  const prices = allPrices ?? pricesOf(servers, [program]);
  const optimizer = optimize === false ? undefined : (study.optimizer ?? autoSearch());
  checkPrices(budget, prices, { optimizer, servers });
  checkInputs(program, taken.examples);
  const row = { declared, study, ...taken, ...(optimizer && { optimizer }), servers, prices };
  if (optimizer !== undefined) checkSearch(study, optimizer, tighter(ownBudget(row), budget));
  return { ...row, description: descriptionOf(experiment, row, seed) };
}

/** Rejects a cap on money for a row whose LMs have no prices. */
function checkPrices(
  { costUsd }: Budget,
  prices: PriceTable | undefined,
  {
    optimizer,
    servers,
  }: Pick<LoadedRow, "servers"> & { readonly optimizer: Optimizer | undefined },
): void {
  if (costUsd === undefined) return;
  const roles = [
    "student",
    ...(optimizer === undefined ? [] : (["reflection"] as const)),
    ...(servers.roles.judge === undefined ? [] : (["judge"] as const)),
  ] as const;
  checkBudget({ costUsd }, { prices, endsByItself: true, roles });
}

/**
 * Rejects data and settings that an optimizer cannot use. A budget that is too small is no fault: a
 * larger one may follow.
 */
function checkSearch(
  study: Study,
  optimizer: Optimizer,
  { costUsd: _usd, ...budget }: Budget,
): void {
  try {
    planOptimization(study, { optimizer, budget });
  } catch (error) {
    if (failureOf(error).kind !== "budget") throw error;
  }
}

/** The budget of an optimizing row, before the experiment's caps. */
export function ownBudget({
  declared: { optimize },
  optimizer,
}: Pick<LoadedRow, "declared" | "optimizer">): Budget {
  return typeof optimize === "object" ? optimize.budget : (optimizer?.budget ?? {});
}

function descriptionOf(
  { name, split }: LoadedExperiment["experiment"],
  row: Omit<LoadedRow, "description">,
  seed: number,
): JsonObject {
  const { declared, study, examples, optimizer } = row;
  const { program, trainset, objective } = study;
  const description = {
    experiment: name,
    row: declared.name,
    study: study.name,
    program: {
      name: program.name,
      version: program.version,
      components: contentHash(program.components()),
    },
    trainset: { name: trainset.name, checksum: trainset.checksum },
    split,
    examples: contentHash(examples.map(({ id }) => id)),
    metric: { name: objective.name, version: objective.version },
    seed,
    ...(optimizer !== undefined && {
      optimizer: {
        name: optimizer.name,
        version: optimizer.version,
        settings: optimizer.settings,
        budget: ownBudget(row),
        ...(study.gold && { gold: hashOfGold(study) }),
      },
    }),
  };
  return JSON.parse(JSON.stringify(description)) as JsonObject;
}
