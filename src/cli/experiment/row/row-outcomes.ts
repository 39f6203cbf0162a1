import { existsSync } from "node:fs";
import type { LmIdentity } from "../../../contract/index.ts";
import type { Evaluation } from "../../../evaluate/index.ts";
import type { RowOutcome } from "../../../experiment/index.ts";
import { sumOfCosts } from "../../../experiment/index.ts";
import type { StandIn } from "../../../stand-in/index.ts";
import { readEvaluation } from "../../eval/evaluation-file.ts";
import type { PreparedRow } from "./prepared-row.ts";
import type { RowDone, RowRecord, Spent } from "./row-record.ts";
import { rowFiles } from "./row-record.ts";

/** A row whose result is on file. */
export interface FinishedRow {
  readonly done: RowDone;
  readonly lms: RowRecord["lms"];
  readonly evaluation: Evaluation;
}

/** `undefined` if the file is gone: the row's replies are not, so scoring it again is free. */
export async function readFinished(
  runFolder: string,
  { declared }: PreparedRow,
): Promise<Pick<FinishedRow, "evaluation"> | undefined> {
  const path = rowFiles(runFolder, declared.name).result;
  if (!existsSync(path)) return undefined;
  const { evaluation } = await readEvaluation(path);
  return { evaluation };
}

export function finishedOutcome(
  row: PreparedRow,
  { done, lms, evaluation }: FinishedRow,
): RowOutcome {
  const { search, optimized } = done;
  return {
    name: row.declared.name,
    study: row.study,
    examples: row.examples,
    lms,
    standIns: done.standIns,
    ...(optimized !== undefined && { optimized }),
    costs: sumOfCosts([done.evaluation, ...(search === undefined ? [] : [search])]),
    result: evaluation,
  };
}

export function unfinishedOutcome(
  row: PreparedRow,
  {
    notRun,
    spent,
    lms,
    standIns,
  }: {
    readonly notRun: string;
    readonly spent: readonly Spent[];
    readonly lms: Readonly<Record<string, LmIdentity>>;
    readonly standIns: readonly StandIn[];
  },
): RowOutcome {
  return {
    name: row.declared.name,
    study: row.study,
    examples: row.examples,
    lms,
    standIns,
    costs: sumOfCosts(spent),
    result: { notRun },
  };
}
