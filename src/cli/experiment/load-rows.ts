import type { JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ExperimentRow } from "../../experiment/files.ts";
import type { Budget, PriceTable } from "../../optimizer/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { pricesOf } from "../lm/predictor-lms.ts";
import type { RunServers } from "../lm/run-servers.ts";
import { runServers } from "../lm/run-servers.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { readPrices } from "../optimize/budget-options.ts";
import { checkRow } from "./row/row-budget.ts";
import { describeRow } from "./row/describe-row.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { checkPrices, experimentBudget } from "./experiment-budget.ts";
import type { ChosenExperiment, PreparedRow } from "./row/prepared-row.ts";
import { chosenExperiment, preparedRow } from "./row/prepared-row.ts";
import { isFaultOfPreparation } from "./row/row-fault.ts";

/** A row that is ready to run. */
export interface LoadedRow {
  readonly row: PreparedRow;
  /** The row's own: its parts are the mocks and servers of this row alone. */
  readonly servers: RunServers;
  readonly prices: PriceTable | undefined;
  readonly description: JsonObject;
}

/** A row that cannot run, while others can. */
export interface RefusedRow {
  readonly declared: ExperimentRow;
  /** Absent if its study could not be made. */
  readonly row?: PreparedRow;
  readonly error: EspalierError;
}

/** What the command line requests, checked as far as possible before any cost is incurred. */
export interface LoadedExperiment {
  readonly given: ExperimentGiven;
  readonly experiment: ChosenExperiment;
  readonly rows: readonly LoadedRow[];
  readonly refused: readonly RefusedRow[];
  readonly budget: Budget;
  readonly seed: number;
}

/**
 * @throws EspalierError the first row's fault if no row can run, and whatever concerns more than
 *   one row
 */
export async function loadRows(given: ExperimentGiven): Promise<LoadedExperiment> {
  const { file = "" } = given;
  const seed = wholeNumber("seed", given.seed, 0);
  const budget = experimentBudget(given);
  const allPrices = await readPrices(given.prices);
  const load = async () => {
    const servers = await runServers(given, { roles: ["judge", "reflection"] });
    const declared = await loadExperiment(file, servers.parts);
    return { servers, experiment: chosenExperiment(declared, given) };
  };
  const { experiment } = await load();
  const rows: LoadedRow[] = [];
  const refused: RefusedRow[] = [];
  for (const index of experiment.rows.keys()) {
    const { servers, experiment: own } = await load();
    const declared = own.rows[index];
    if (declared === undefined) continue;
    const row = await madeOrFault(() =>
      preparedRow(own, declared, { given, parts: servers.parts, seed }),
    );
    if (EspalierError.isInstance(row)) {
      refused.push({ declared, error: row });
      continue;
    }
    const prices = allPrices ?? pricesOf(servers, [row.study.program]);
    checkPrices(budget, prices, {
      optimizes: row.optimizer !== undefined,
      judges: servers.roles.judge !== undefined,
    });
    const error = await madeOrFault(() => checkRow(row, { budget, prices }));
    if (EspalierError.isInstance(error)) refused.push({ declared, row, error });
    else rows.push({ row, servers, prices, description: describeRow(own, row, seed) });
  }
  const [first] = refused;
  if (rows.length === 0 && first !== undefined) throw first.error;
  return { given, experiment, rows, refused, budget, seed };
}

/** What is made, or the row's own fault that keeps it from being made. */
async function madeOrFault<TMade>(
  make: () => TMade | Promise<TMade>,
): Promise<TMade | EspalierError> {
  try {
    return await make();
  } catch (error) {
    if (isFaultOfPreparation(error)) return error;
    throw error;
  }
}
