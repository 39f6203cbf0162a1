import type { JsonObject } from "../../contract/index.ts";
import type { Budget, PriceTable } from "../../optimizer/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { pricesOf } from "../lm/prices-of.ts";
import type { RunServers } from "../lm/run-servers.ts";
import { runServers } from "../lm/run-servers.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { readPrices } from "../optimize/budget-options.ts";
import { describeRow } from "./row/describe-row.ts";
import type { ExperimentGiven } from "./experiment-arguments.ts";
import { checkPrices, experimentBudget } from "./experiment-budget.ts";
import type { ChosenExperiment, PreparedRow } from "./row/prepared-row.ts";
import { chosenExperiment, preparedRow } from "./row/prepared-row.ts";

/** A row that is ready to run. */
export interface LoadedRow {
  readonly row: PreparedRow;
  /** The row's own: its parts are the stand-ins and servers of this row alone. */
  readonly servers: RunServers;
  readonly prices: PriceTable | undefined;
  readonly description: JsonObject;
}

/** What the command line requests, checked as far as possible before any cost is incurred. */
export interface LoadedExperiment {
  readonly given: ExperimentGiven;
  readonly experiment: ChosenExperiment;
  readonly rows: readonly LoadedRow[];
  readonly budget: Budget;
  readonly seed: number;
}

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
  for (const place of experiment.rows.keys()) {
    const { servers, experiment: own } = await load();
    const declared = own.rows[place];
    if (declared === undefined) continue;
    const row = await preparedRow(own, declared, { given, parts: servers.parts, seed });
    const prices = allPrices ?? pricesOf(servers, [row.study.program]);
    checkPrices(budget, prices, {
      optimizes: row.optimizer !== undefined,
      judges: servers.roles.judge !== undefined,
    });
    rows.push({ row, servers, prices, description: describeRow(own, row, seed) });
  }
  return { given, experiment, rows, budget, seed };
}
