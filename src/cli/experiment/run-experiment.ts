import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "citty";
import type { LanguageModel, JsonObject } from "../../contract/index.ts";
import { EspalierError, failureOf } from "../../errors/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import type { RowOutcome } from "../../experiment/index.ts";
import { sumOfCosts, experimentTable, tableMarkdown, withFigures } from "../../experiment/index.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { checkSameRun, runLock } from "../../optimizer/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt, isAnnounced } from "../arguments/interrupt.ts";
import {
  capOptions,
  optionMemory,
  resumingCommand,
  serverOptions,
} from "../arguments/option-memory.ts";
import { freshRunFolder, nothingToResume } from "../arguments/runs-folder.ts";
import { readEvaluation } from "../eval/evaluation-file.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { openLms } from "../lm/open-lms.ts";
import { printToStderr, joinLines, print } from "../terminal/terminal.ts";
import { experimentArguments } from "./experiment-arguments.ts";
import type { LoadedExperiment, LoadedRow } from "./load-rows.ts";
import { inRow, loadRows } from "./load-rows.ts";
import { charged, lessThan, searchShare } from "./row-budget.ts";
import type { RowDone, RowRecord } from "./row-record.ts";
import { checkSameLms, lmsOf, readRow, rowFiles, rowSpending } from "./row-record.ts";
import { runRow } from "./run-row.ts";

const memory = optionMemory([
  ...capOptions,
  "trainset",
  "split",
  "sample",
  "seed",
  ...serverOptions,
]);

/**
 * Runs the rows one after the other, and prints and writes the table. Rows with a result are read
 * back. If it fails, prints the command that resumes it.
 */
export async function runExperiment(
  rawArgs: readonly string[],
  resumed: string | undefined,
): Promise<void> {
  const remembered =
    resumed === undefined ? [] : await memory.recall(experimentFiles(resumed).command, rawArgs);
  const words = [...remembered, ...rawArgs];
  const given = parseArgs<typeof experimentArguments>([...words], experimentArguments);
  const loaded = await loadRows(given);
  const { experiment, seed } = loaded;
  const runFolder = given.resume ?? given.run ?? freshRunFolder(experiment.name);
  if (remembered.length > 0)
    printToStderr(joinLines([`original options: ${remembered.join(" ")}`]));
  using _lock = runLock(runFolder);
  const description = {
    experiment: experiment.name,
    rows: experiment.rows.map(({ name }) => name),
  };
  await claimFolder(runFolder, description, { resumes: given.resume !== undefined });
  if (given.resume === undefined) {
    await memory.remember(experimentFiles(runFolder).command, given, rawArgs);
  }
  printToStderr(`experiment ${experiment.name}: ${experiment.rows.length} rows, run ${runFolder}`);
  const resuming = resumingCommand("experiment", words, { runFolder });
  try {
    const outcomes = await runRows(loaded, { runFolder, resuming });
    const table = experimentTable(experiment, outcomes, { seed });
    const markdown = tableMarkdown(table);
    const files = experimentFiles(runFolder);
    await writeFileAtomic(files.markdown, markdown);
    await writeFileAtomic(files.table, `${JSON.stringify(table)}\n`);
    print(given.json ? JSON.stringify(table) : markdown.trimEnd());
    if (table.rows.some(({ isAcceptable = true }) => !isAcceptable)) {
      process.exitCode = exitCodes.infrastructure;
    }
    if (table.rows.every(({ notRun }) => notRun === undefined)) return;
    process.exitCode = exitCodes.budget;
    printToStderr("The budget ran out before the last row. To continue with a larger one:");
    printToStderr(resuming);
  } catch (error) {
    const { code } = failureOf(error);
    if (code !== "journal-mismatch" && code !== "file-malformed" && !isAnnounced(error)) {
      printToStderr(`To resume: ${resuming}`);
    }
    throw error;
  }
}

const format = "espalier-experiment-run/1";

/** Files of an experiment's folder, beside those of its rows. */
function experimentFiles(
  runFolder: string,
): Readonly<Record<"experiment" | "command" | "markdown" | "table", string>> {
  return {
    experiment: join(runFolder, "experiment.json"),
    command: join(runFolder, "command.json"),
    markdown: join(runFolder, "table.md"),
    table: join(runFolder, "table.json"),
  };
}

/**
 * Claims the folder for an experiment, or checks that it holds this one.
 *
 * @param resumes whether an experiment is to be found there
 * @throws EspalierError `journal-mismatch` for a folder with another one, or with one where a new
 *   one shall begin; `file-missing` where there is nothing to resume
 */
async function claimFolder(
  runFolder: string,
  description: JsonObject,
  { resumes }: { readonly resumes: boolean },
): Promise<void> {
  const path = experimentFiles(runFolder).experiment;
  const isThere = existsSync(path);
  if (!isThere && !resumes) {
    await writeFileAtomic(path, `${JSON.stringify({ format, ...description })}\n`);
    return;
  }
  if (!isThere) {
    throw nothingToResume("experiment", runFolder, (folder) =>
      existsSync(experimentFiles(folder).experiment),
    );
  }
  if (!resumes) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The folder already holds an experiment",
      where: runFolder,
      expected: "an empty folder, or --resume",
      fix: "Resume it, or choose another folder.",
    });
  }
  const held = jsonOrUndefined(await readFileWithin(path, 2 ** 20));
  checkSameRun((held ?? {}) as JsonObject, { format, ...description }, runFolder);
}

/**
 * Runs the rows that have no result yet, one after the other, and reads the others back. What a row
 * may spend is what all others leave, so no cap is exceeded however often the experiment is
 * resumed. If a cap stops a row, no later one begins.
 *
 * @returns one outcome for each row, in the experiment's order
 */
async function runRows(
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
  const finish = (row: LoadedRow, found: Parameters<typeof finished>[1]): void => {
    const outcome = finished(row, found);
    // The table computes figures at the end; a fault of one is found before the next row is run.
    withFigures(outcome, experiment.figures ?? []);
    outcomes.push(outcome);
  };
  let isOver = false;
  for (const row of loaded.rows) {
    const { name } = row.declared;
    const held = records.get(row);
    const { result } = rowFiles(runFolder, name);
    // Where the file is gone, the replies are not: scoring the row again is free.
    if (held?.done !== undefined && existsSync(result)) {
      const { evaluation } = await readEvaluation(result);
      finish(row, { lms: held.lms, done: held.done, evaluation });
      continue;
    }
    const unfinished = (notRun: string, of: Pick<RowOutcome, "lms" | "mocks">): RowOutcome => ({
      ...aboutRow(row),
      ...of,
      costs: sumOfCosts(rowSpending(runFolder, name, row.prices)),
      result: { notRun },
    });
    if (isOver) {
      outcomes.push(unfinished("the budget ran out before it", { lms: {}, mocks: [] }));
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
    const waiting = loaded.rows.slice(outcomes.length);
    const run = { split, runFolder, opened, record, left, seed, signal };
    const share = searchShare(left, {
      rows: waiting.length,
      searches: waiting.filter(({ optimizer }) => optimizer !== undefined).length,
      examples: waiting.reduce((sum, { examples }) => sum + examples.length, 0),
    });
    const end = await runRow(row, { ...run, share }).catch((error: unknown) => {
      throw inRow(name, error);
    });
    if ("notRun" in end) {
      isOver = true;
      outcomes.push(unfinished(end.notRun, { lms, mocks: opened.mocks }));
    } else {
      records.set(row, { ...record, lms, done: end.done });
      finish(row, { ...end, lms });
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
        problem: "A row that uses recorded outputs tried to call an LM",
        where: [callPath, exampleId].filter(Boolean).join(", "),
        expected: "a program without predictors, and a metric without a judge",
        fix: "Remove `recorded` from the row, or make no LM calls in its study.",
      });
    },
  };
}
