import { existsSync } from "node:fs";
import type { LmIdentity } from "../../../contract/index.ts";
import type { EspalierError, Failure } from "../../../errors/index.ts";
import { failureOf } from "../../../errors/index.ts";
import type { Evaluation } from "../../../evaluate/index.ts";
import type { ExperimentRow } from "../../../experiment/files.ts";
import type { RowOutcome } from "../../../experiment/index.ts";
import { sumOfCosts } from "../../../experiment/index.ts";
import type { Mock } from "../../../mock/index.ts";
import { readEvaluation } from "../../eval/evaluation-file.ts";
import { errorText } from "./row-fault.ts";
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
    mocks: done.mocks,
    ...(optimized !== undefined && { optimized }),
    costs: sumOfCosts([done.evaluation, ...(search === undefined ? [] : [search])]),
    result: evaluation,
  };
}

export function unfinishedOutcome(
  row: PreparedRow,
  {
    notRun,
    failure,
    spent,
    lms,
    mocks,
  }: {
    readonly notRun: string;
    /** The row's own; absent if a cap stopped it. */
    readonly failure?: Failure;
    readonly spent: readonly Spent[];
    readonly lms: Readonly<Record<string, LmIdentity>>;
    readonly mocks: readonly Mock[];
  },
): RowOutcome {
  return {
    name: row.declared.name,
    study: row.study,
    examples: row.examples,
    lms,
    mocks,
    costs: sumOfCosts(spent),
    result: { notRun, ...(failure && { failure }) },
  };
}

/** Of a row that cannot run, and never began. */
export function refusedOutcome({
  declared,
  row,
  error,
}: {
  readonly declared: ExperimentRow;
  readonly row?: PreparedRow;
  readonly error: EspalierError;
}): RowOutcome {
  const why = { notRun: errorText(error), failure: failureOf(error) };
  const nothing = { spent: [], lms: {}, mocks: [] };
  if (row !== undefined) return unfinishedOutcome(row, { ...nothing, ...why });
  const { lms, mocks } = nothing;
  return { name: declared.name, examples: [], lms, mocks, costs: sumOfCosts([]), result: why };
}
