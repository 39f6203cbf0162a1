import {
  hasDecisions,
  holdsRun,
  readRun,
  runFolderFiles,
  stopFileDetail,
} from "../../optimizer/files.ts";
import {
  capOptions,
  optionMemory,
  resumingCommand,
  serverOptions,
} from "../arguments/option-memory.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";
import { existsSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";

const memory = optionMemory([
  ...capOptions,
  "trainset",
  "candidate",
  "optimizer",
  "seed",
  "search-repeats",
  "measure-latency",
  "allow-side-effects",
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
  if (holdsRun(runFolder)) return;
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

/**
 * Rejects a search while its folder has the file `stop`: the run would stop before its first step,
 * or where it stopped before.
 *
 * @returns whether a run that the file ended goes on
 * @throws EspalierError `usage-invalid`
 */
export function checkStopFile(
  { resume, choose }: Pick<OptimizeGiven, "resume" | "choose">,
  runFolder: string,
): boolean {
  const { stop } = runFolderFiles(runFolder);
  const isPresent = existsSync(stop);
  const end = endOf(resume);
  const isStopped = end?.detail === stopFileDetail;
  // The run is reported on again without searching.
  if (end !== undefined && (!isStopped || (choose !== undefined && isPresent))) return false;
  if (!isPresent) return isStopped;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The run's `stop` file exists",
    where: runFolder,
    got: stop,
    fix: isStopped
      ? "Remove it to resume the run, or report on another existing candidate with --choose."
      : resume !== undefined
        ? "Remove it to resume the run."
        : "Remove it, or name another folder.",
  });
}

/** `undefined` for a folder without a run, which opening it rejects, or with one just begun. */
function endOf(folder: string | undefined): ReturnType<typeof readRun>["end"] {
  return folder !== undefined && hasDecisions(folder) ? readRun(folder).end : undefined;
}
