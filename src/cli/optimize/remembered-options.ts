import { runFolderFiles, runIn } from "../../optimizer/files.ts";
import {
  capOptions,
  optionMemory,
  resumingCommand,
  serverOptions,
} from "../arguments/option-memory.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";

const memory = optionMemory([
  ...capOptions,
  "trainset",
  "candidate",
  "optimizer",
  "seed",
  "search-repeats",
  "measure-latency",
  "allow-world-changes",
  ...serverOptions,
  "redis",
  "repeats",
  "mlflow",
  "mlflow-experiment",
  "otlp",
  "trace-contents",
]);

/** Saves the options of a new run beside its journal. Leaves a folder with a run untouched. */
export async function rememberOptions(
  runFolder: string,
  given: OptimizeGiven,
  rawArgs: readonly string[],
): Promise<void> {
  const { hasJournal, hasWork } = runIn(runFolder);
  if (hasJournal || hasWork) return;
  await memory.remember(runFolderFiles(runFolder).command, given, rawArgs);
}

/**
 * The options that the run was started with and the command line omits, as words of one.
 *
 * @throws EspalierError `file-malformed`
 */
export async function rememberedOptions(
  rawArgs: readonly string[],
  runFolder: string | undefined,
): Promise<readonly string[]> {
  return runFolder === undefined ? [] : memory.recall(runFolderFiles(runFolder).command, rawArgs);
}

/** The shell command that resumes the run; see `resumingCommand`. */
export function commandToResume(
  rawArgs: readonly string[],
  runFolder: string,
  without: readonly string[] = [],
): string {
  return resumingCommand("optimize", rawArgs, { runFolder, without });
}
