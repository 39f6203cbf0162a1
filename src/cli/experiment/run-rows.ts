import { existsSync } from "node:fs";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { RowOutcome } from "../../experiment/index.ts";
import { sumOfCosts } from "../../experiment/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { openLms } from "../lm/open-lms.ts";
import { printToStderr } from "../terminal/terminal.ts";
import type { LoadedExperiment, LoadedRow } from "./load-rows.ts";
import type { RowDone, RowRecord } from "./row-record.ts";
import { checkSameLms, lmsOf, readRow, rowFiles, rowSpending } from "./row-record.ts";
import { charged, lessThan, searchShare } from "./row-budget.ts";
import { runRow } from "./run-row.ts";

/**
 * Runs the rows that have no result yet, one after the other, and reads the others back. What a row
 * may spend is what all others leave, so no cap is exceeded however often the experiment is
 * resumed. If a cap stops a row, no later one begins.
 *
 * @returns one outcome for each row, in the experiment's order
 */
export async function runRows(
  loaded: LoadedExperiment,
  {
    runFolder,
    resuming,
  }: {
    readonly runFolder: string;
    /** The command that resumes it. */
    readonly resuming: string;
  },
): Promise<readonly RowOutcome[]> {
  const { experiment, seed } = loaded;
  const records = new Map<LoadedRow, RowRecord>();
  for (const row of loaded.rows) {
    const record = await readRow(runFolder, row);
    if (record !== undefined) records.set(row, record);
  }
  using interrupt = abortOnInterrupt(() => `To resume: ${resuming}`);
  const { signal } = interrupt;
  const outcomes: RowOutcome[] = [];
  let isOver = false;
  for (const row of loaded.rows) {
    const { name } = row.declared;
    const held = records.get(row);
    const { result } = rowFiles(runFolder, name);
    // Where the file is gone, the replies are not: scoring the row again is free.
    if (held?.done !== undefined && existsSync(result)) {
      const { evaluation } = await readEvaluation(result);
      outcomes.push(finished(row, { lms: held.lms, done: held.done, evaluation }));
      continue;
    }
    const unfinished = (notRun: string, of: Pick<RowOutcome, "lms" | "mocks">): RowOutcome => ({
      ...aboutRow(row),
      ...of,
      costs: sumOfCosts(rowSpending(runFolder, name, row.prices)),
      result: { notRun },
    });
    if (isOver) {
      outcomes.push(unfinished("the budget ended before it", { lms: {}, mocks: [] }));
      continue;
    }
    await using opened = await opening(row, loaded);
    const lms = lmsOf(opened, row);
    for (const [other, record] of records) {
      const isRecorded = (other.declared.recorded ?? row.declared.recorded) !== undefined;
      if (other === row || !isRecorded) checkSameLms(record, lmsOf(opened, other), runFolder);
    }
    const others = loaded.rows.filter((other) => other !== row);
    const left = others
      .flatMap(
        (other) =>
          records.get(other)?.done?.spent ??
          rowSpending(runFolder, other.declared.name, other.prices),
      )
      .map(charged)
      .reduce(lessThan, loaded.budget);
    const { opening: mockText } = mockLabel(opened.mocks);
    const what = `row ${name}: ${row.examples.length} examples`;
    printToStderr(mockText === "" ? what : `${what}; ${mockText}`);
    const { done: _lost, ...record } = held ?? { description: row.description, lms, budget: {} };
    const { split } = experiment;
    const waiting = loaded.rows.length - outcomes.length;
    const run = { split, runFolder, opened, record, left, seed, signal };
    const end = await runRow(row, { ...run, share: searchShare(left, waiting) });
    if ("notRun" in end) {
      isOver = true;
      outcomes.push(unfinished(end.notRun, { lms, mocks: opened.mocks }));
    } else {
      records.set(row, { ...record, lms, done: end.done });
      outcomes.push(finished(row, { ...end, lms }));
    }
  }
  return outcomes;
}

function finished(
  row: LoadedRow,
  {
    lms,
    done: { spent, optimized, mocks },
    evaluation,
  }: Pick<RowRecord, "lms"> & { readonly done: RowDone; readonly evaluation: Evaluation },
): RowOutcome {
  return {
    ...aboutRow(row),
    lms,
    mocks,
    ...(optimized !== undefined && { optimized }),
    costs: sumOfCosts(spent),
    result: evaluation,
  };
}

function aboutRow({
  declared,
  study,
  examples,
}: LoadedRow): Pick<RowOutcome, "name" | "study" | "examples"> {
  return { name: declared.name, study, examples };
}

/**
 * The LMs of a row. For a program whose examples hold recorded outputs of models, asks no server,
 * and puts in the LM's place what names the models and refuses to answer.
 */
async function opening(
  { declared: { recorded }, servers }: LoadedRow,
  { given, rows }: LoadedExperiment,
): Promise<OpenedLms> {
  if (recorded === undefined) {
    return openLms(servers, given, { programs: rows.map(({ study }) => study.program) });
  }
  const unasked = { ...servers, answer: undefined, roles: {}, usual: {}, asked: {} };
  return openLms(unasked, given, { programs: [], own: recordedLm(recorded) });
}

function recordedLm(models: readonly string[]): LanguageModel {
  return {
    identity: { provider: "recorded", model: models.length === 0 ? "none" : models.join(", ") },
    doGenerate: async (_request, { callPath, exampleId } = {}) => {
      throw new EspalierError({
        code: "experiment-invalid",
        problem: "A row of recorded outputs asked an LM",
        where: [callPath, exampleId].filter(Boolean).join(", "),
        expected: "a program without predictors, and a metric without a judge",
        fix: "Remove `recorded` from the row, or ask nothing in its study.",
      });
    },
  };
}
