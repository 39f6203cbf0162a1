import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { Optimizer } from "../../optimizer/index.ts";
import { readRun, runFolderFiles, runIn } from "../../optimizer/files.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";

const name = "stop-file";

type Given = Pick<OptimizeGiven, typeof name | "resume" | "choose">;

/**
 * Makes the optimizer stop when the file of `--stop-file` exists.
 *
 * @throws EspalierError `usage-invalid` if the optimizer does not support this
 */
export function withStopFile(
  optimizer: Optimizer,
  { [name]: file }: Pick<Given, typeof name>,
): Optimizer {
  if (file === undefined) return optimizer;
  const path = resolve(file);
  const stop = (): string | null => (existsSync(path) ? `${path} exists` : null);
  const stopping = optimizer.withStop?.({ name, stop });
  // Any other optimizer would silently replace the study's.
  if (stopping?.name === optimizer.name && stopping.version === optimizer.version) return stopping;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The optimizer \`${optimizer.name}\` does not support a stop file`,
    expected: "an optimizer with `withStop`, as all of espalier's are",
    got:
      stopping === undefined
        ? `--${name} ${file}`
        : `a \`withStop\` that returns \`${stopping.name}\` ${stopping.version} instead of \`${optimizer.name}\` ${optimizer.version}`,
    fix: "Omit it: Ctrl-C ends any run, and --resume continues it",
  });
}

/** Whether a stop file ended a run, according to its result. */
export function isEndedByFile({ detail }: { readonly detail?: string }): boolean {
  return detail?.startsWith(`${name}: `) === true;
}

/**
 * Rejects a search while a file that stops it exists, that of `--stop-file` or `stop` in the run's
 * folder: the run would stop before its first step, or where it stopped before.
 *
 * @returns the notice to print when a run that a file ended resumes; `null` if no such run does
 * @throws EspalierError `usage-invalid`
 */
export function checkStopFile(
  { [name]: file, resume, choose }: Given,
  runFolder: string,
): string | null {
  const files = [...(file === undefined ? [] : [file]), runFolderFiles(runFolder).stop];
  const present = files.find((each) => existsSync(each));
  const end = endOf(resume);
  const isEnded = end !== undefined;
  // The run is reported on again without searching.
  if (isEnded && (!isEndedByFile(end) || (choose !== undefined && present !== undefined))) {
    return null;
  }
  if (present !== undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: isEnded
        ? "The file that stopped the run still exists"
        : "The file that would stop the run already exists",
      where: present === file ? `--${name}` : runFolder,
      got: present,
      fix: isEnded
        ? "Remove it to resume the run, or report on another existing candidate with --choose."
        : "Remove it, or name another file or folder.",
    });
  }
  if (!isEnded) return null;
  const found = end.detail?.endsWith("in the run's folder") === true ? files.at(-1) : files[0];
  return `${found} is gone: resuming the run that it stopped`;
}

/**
 * Returns `undefined` for a folder without a journal or its replies; opening the folder rejects
 * anything that is not a run.
 */
function endOf(folder: string | undefined): ReturnType<typeof readRun>["end"] {
  if (folder === undefined) return undefined;
  const { hasJournal, hasWork } = runIn(folder);
  if (!hasJournal || !hasWork) return undefined;
  return readRun(folder).end;
}
