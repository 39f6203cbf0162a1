import { parseArgs } from "citty";
import { failureOf } from "../../errors/index.ts";
import type { RowOutcome } from "../../experiment/index.ts";
import { experimentTable, tableMarkdown } from "../../experiment/index.ts";
import { runLock } from "../../optimizer/index.ts";
import { standInLabel } from "../../stand-in/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { freshRunFolder } from "../arguments/fresh-run-folder.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { optionMemory, resumingCommand } from "../arguments/option-memory.ts";
import { openLms } from "../lm/open-lms.ts";
import { joinLines } from "../terminal/join-lines.ts";
import { print, printToStderr } from "../terminal/terminal.ts";
import { checkRecord, checkSameLms, lmsOf } from "./describe-row.ts";
import { experimentArguments } from "./experiment-arguments.ts";
import { claimFolder, experimentFiles } from "./experiment-folder.ts";
import type { LoadedExperiment, LoadedRow } from "./load-rows.ts";
import { loadRows } from "./load-rows.ts";
import { ownBudget } from "./prepare-rows.ts";
import { lessThan, remaining, reserved, tighter } from "./row-budget.ts";
import type { FinishedRow } from "./row-outcomes.ts";
import { finishedOutcome, readFinished, unfinishedOutcome } from "./row-outcomes.ts";
import type { RowRecord } from "./row-record.ts";
import { readRow } from "./row-record.ts";
import { runRow } from "./run-row.ts";

const memory = optionMemory([
  "budget",
  "max-reflections",
  "max-lm-calls",
  "max-tokens",
  "max-usd",
  "max-minutes",
  "prices",
  "trainset",
  "split",
  "sample",
  "seed",
  "servers",
  "rehearsal",
  "lm",
  "lm-for",
  "model",
  "reflection-lm",
  "reflection-model",
  "judge-lm",
  "judge-model",
  "concurrency",
  "patience",
  "max-retry-after",
  "idle-timeout",
  "cache",
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
  const { experiment, rows, seed } = loaded;
  const runFolder = given.resume ?? given.run ?? freshRunFolder(experiment.name);
  if (remembered.length > 0)
    printToStderr(joinLines([`original options: ${remembered.join(" ")}`]));
  using _lock = runLock(runFolder);
  const description = {
    experiment: experiment.name,
    rows: rows.map(({ row }) => row.declared.name),
  };
  await claimFolder(runFolder, description, { resumes: given.resume !== undefined });
  if (given.resume === undefined) {
    await memory.remember(experimentFiles(runFolder).command, given, rawArgs);
  }
  printToStderr(`experiment ${experiment.name}: ${rows.length} rows, run ${runFolder}`);
  try {
    const outcomes = await runRows(loaded, runFolder);
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
    printToStderr("The budget ended before the last row. With a larger one, resume it:");
    printToStderr(resumingCommand("experiment", words, { runFolder }));
  } catch (error) {
    const { code } = failureOf(error);
    if (code !== "journal-mismatch" && code !== "file-malformed") {
      printToStderr(`To resume: ${resumingCommand("experiment", words, { runFolder })}`);
    }
    throw error;
  }
}

/** In order, since what a row may spend depends on the rows before it. */
async function runRows(
  loaded: LoadedExperiment,
  runFolder: string,
): Promise<readonly RowOutcome[]> {
  const { rows } = loaded;
  const records: (RowRecord | undefined)[] = [];
  for (const { row, description } of rows) {
    const record = await readRow(runFolder, row.declared.name);
    if (record !== undefined) checkRecord(record, description, runFolder);
    records.push(record);
  }
  using interrupt = abortOnInterrupt();
  const outcomes: RowOutcome[] = [];
  const finished: FinishedRow[] = [];
  let isOver = false;
  for (const [place, each] of rows.entries()) {
    const record = records[place];
    const held = record?.done === undefined ? undefined : await readFinished(runFolder, each.row);
    if (held !== undefined && record?.done !== undefined) {
      const end = { ...held, lms: record.lms, done: record.done };
      outcomes.push(finishedOutcome(each.row, end));
      finished.push(end);
    } else if (isOver) {
      const notRun = "the budget ended before it";
      outcomes.push(unfinishedOutcome(each.row, { notRun, spent: [], lms: {}, standIns: [] }));
    } else {
      const end = await runNext(each, {
        loaded,
        runFolder,
        record,
        finished,
        records,
        signal: interrupt.signal,
      });
      outcomes.push(end.outcome);
      if (end.finished === undefined) isOver = true;
      else finished.push(end.finished);
    }
  }
  return outcomes;
}

async function runNext(
  { row, servers, prices, description }: LoadedRow,
  {
    loaded: { experiment, rows, given, budget, seed },
    runFolder,
    record: recorded,
    records,
    finished,
    signal,
  }: {
    readonly loaded: LoadedExperiment;
    readonly runFolder: string;
    readonly record: RowRecord | undefined;
    readonly records: readonly (RowRecord | undefined)[];
    readonly finished: readonly FinishedRow[];
    readonly signal: AbortSignal;
  },
): Promise<{ readonly outcome: RowOutcome; readonly finished?: FinishedRow }> {
  const programs = rows.map((each) => each.row.study.program);
  await using opened = await openLms(servers, given, { programs });
  const lms = lmsOf(opened, row);
  for (const other of records) if (other !== undefined) checkSameLms(other, lms, runFolder);
  const done = finished.map((each) => each.done);
  const left = remaining(budget, done);
  const { opening } = standInLabel(opened.standIns);
  printToStderr(
    [`row ${row.declared.name}: ${row.examples.length} examples`, opening]
      .filter((text) => text !== "")
      .join("; "),
  );
  const own = ownBudget(row);
  const record: RowRecord = recorded ?? {
    description,
    lms,
    budget:
      row.optimizer === undefined ? {} : tighter(own, lessThan(left, reserved(row, done, prices))),
  };
  const run = { experiment, runFolder, opened, servers, record, left, prices, seed, signal };
  const end = await runRow(row, run);
  if ("notRun" in end) {
    const { standIns } = opened;
    return { outcome: unfinishedOutcome(row, { ...end, lms, standIns }) };
  }
  const ended = { ...end, lms };
  return { outcome: finishedOutcome(row, ended), finished: ended };
}
