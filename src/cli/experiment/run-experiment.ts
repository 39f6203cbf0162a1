import { parseArgs } from "citty";
import { failureOf } from "../../errors/index.ts";
import { experimentTable, tableMarkdown } from "../../experiment/index.ts";
import { runLock } from "../../optimizer/index.ts";
import { writeFileAtomic } from "../../storage/index.ts";
import { isAnnounced } from "../arguments/interrupt.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { freshRunFolder } from "../arguments/fresh-run-folder.ts";
import {
  capOptions,
  optionMemory,
  resumingCommand,
  serverOptions,
} from "../arguments/option-memory.ts";
import { joinLines } from "../terminal/join-lines.ts";
import { print, printToStderr } from "../terminal/terminal.ts";
import { experimentArguments } from "./experiment-arguments.ts";
import { claimFolder, experimentFiles } from "./experiment-folder.ts";
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
    const failed = table.rows.flatMap(({ name, failure }) => (failure ? [name] : []));
    if (failed.length > 0) {
      process.exitCode = exitCodes.misused;
      printToStderr(
        `Did not run, for the reasons in the table: ${failed.join(", ")}. Once they are corrected, resume it:`,
      );
      printToStderr(resuming);
    }
    if (table.rows.some(({ isAcceptable = true }) => !isAcceptable)) {
      process.exitCode = exitCodes.infrastructure;
    }
    if (table.rows.every(({ notRun, failure }) => notRun === undefined || failure)) return;
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
