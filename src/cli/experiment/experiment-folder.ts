import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../contract/index.ts";
import { nothingToResume } from "../arguments/nothing-to-resume.ts";
import { EspalierError } from "../../errors/index.ts";
import { jsonOrUndefined } from "../../internal/index.ts";
import { checkSameRun } from "../../optimizer/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";

const format = "espalier-experiment-run/1";

/** Files of an experiment's folder, beside those of its rows. */
export function experimentFiles(
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
export async function claimFolder(
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
