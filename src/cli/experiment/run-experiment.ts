import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "citty";
import { EspalierError, failureOf } from "../../errors/index.ts";
import { experimentTable, tableMarkdown } from "../../experiment/index.ts";
import { checkSameRun, runLock } from "../../optimizer/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";
import { isAnnounced } from "../arguments/interrupt.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { freshRunFolder, nothingToResume } from "../arguments/runs-folder.ts";
import {
  capOptions,
  optionMemory,
  resumingCommand,
  serverOptions,
} from "../arguments/option-memory.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";
import { experimentArguments } from "./experiment-arguments.ts";
import type { JsonObject } from "../../contract/index.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import { loadRows } from "./load-rows.ts";
import { runRows } from "./run-rows.ts";

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
    printToStderr("The budget ended before the last row. With a larger one, resume it:");
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
