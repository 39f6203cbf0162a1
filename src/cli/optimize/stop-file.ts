import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import type { Optimizer } from "../../optimizer/index.ts";
import { readRun, runIn } from "../../optimizer/files.ts";
import type { OptimizeGiven } from "./optimize-arguments.ts";

const name = "stop-file";

type Given = Pick<OptimizeGiven, typeof name | "resume" | "choose">;

/**
 * The optimizer, which also ends once the file of `--stop-file` is there.
 *
 * @throws EspalierError `usage-invalid` for one that cannot
 */
export function withStopFile(
  optimizer: Optimizer,
  { [name]: file }: Pick<Given, typeof name>,
): Optimizer {
  if (file === undefined) return optimizer;
  const path = resolve(file);
  const stop = (): string | null => (existsSync(path) ? `${path} is there` : null);
  const stopping = optimizer.withStop?.({ name, stop });
  // Another one would be searched with in its place.
  if (stopping?.name === optimizer.name && stopping.version === optimizer.version) return stopping;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The optimizer \`${optimizer.name}\` cannot be ended by a file`,
    expected: "gepa(), or an optimizer of your own with `withStop`",
    got:
      stopping === undefined
        ? `--${name} ${file}`
        : `a \`withStop\` that gives \`${stopping.name}\` ${stopping.version} in place of \`${optimizer.name}\` ${optimizer.version}`,
    fix: "Leave it out: Ctrl-C ends any run, and --resume goes on with it",
  });
}

/** Whether the file of `--stop-file` ended a run, by what its result says. */
export function isEndedByFile({ detail }: { readonly detail?: string }): boolean {
  return detail?.startsWith(`${name}: `) === true;
}

/**
 * Refuses to search while the file of `--stop-file` is there: the run would end before its first step, or
 * where it ended before.
 *
 * @returns what to say once a run that the file ended goes on; `null` where that is not what is asked for
 * @throws EspalierError `usage-invalid`
 */
export function goingOnWithoutFile({ [name]: file, resume, choose }: Given): string | null {
  if (file === undefined) return null;
  const end = endOf(resume);
  const isEnded = end !== undefined;
  // It is reported on once more, and does not search.
  if (isEnded && (!isEndedByFile(end) || (choose !== undefined && existsSync(file)))) return null;
  if (existsSync(file)) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: isEnded
        ? "The file that ended the run is still there"
        : "The file that is to end the run is there already",
      where: `--${name}`,
      got: file,
      fix: isEnded
        ? "Remove it to go on with the run; --choose reports on another candidate of those that there are."
        : "Remove it, or name another.",
    });
  }
  return isEnded ? `${file} is gone: the run that it ended goes on` : null;
}

/** What is no run is refused by what opens it. */
function endOf(folder: string | undefined): ReturnType<typeof readRun>["end"] {
  if (folder === undefined || !runIn(folder).hasJournal) return undefined;
  return readRun(folder).end;
}
