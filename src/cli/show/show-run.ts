import { EspalierError } from "../../errors/index.ts";
import type { CandidateRecord, RecordedRun } from "../../optimizer/index.ts";
import { chooseCandidate, readReports, readRun } from "../../optimizer/files.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { parseChoice } from "../arguments/choice.ts";
import { writePage } from "../compare/write-page.ts";
import { reportedCosts } from "./reported-costs.ts";
import { runText } from "./run-text.ts";
import { print } from "../terminal/terminal.ts";

interface Given {
  readonly candidate?: string | undefined;
  readonly choose?: string | undefined;
  readonly html?: string | undefined;
  readonly predictor?: string | undefined;
  readonly json: boolean;
}

/** Prints a run, reading only its folder, and writes its page if --html is given. */
export async function showRun(folder: string, given: Given): Promise<void> {
  if (given.predictor !== undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--predictor requires a study or an artifact, but this is a run's folder",
      got: folder,
      fix: "Give the run's artifact.json.",
    });
  }
  const recorded = readRun(folder);
  const shown = selectCandidate(recorded, given);
  const reports = reportedCosts(folder);
  const { figures: onTest } = readReports(folder);
  if (given.html !== undefined) {
    await checkWritable("html", given.html);
    const { compareRuns } = await import("../../report/index.ts");
    const { readSource } = await import("../compare/read-source.ts");
    await writePage(given.html, compareRuns([await readSource(folder)]));
  }
  if (given.json) {
    print(JSON.stringify({ folder, ...recorded, reports, onTest, shown: shown?.id ?? null }));
  } else print(runText(folder, recorded, { shown, reports, onTest }));
}

function selectCandidate(
  recorded: RecordedRun,
  { candidate, choose }: Given,
): CandidateRecord | null {
  if (candidate === undefined && choose === undefined) return recorded.best;
  if (candidate !== undefined && choose !== undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--candidate and --choose both select the candidate to show",
      expected: "one of the two",
    });
  }
  if (choose !== undefined) return chooseCandidate(recorded, parseChoice(choose));
  const id = wholeNumber("candidate", candidate ?? "", 0);
  const found = recorded.candidates[id];
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The run has no such candidate",
    expected: `a number below ${recorded.candidates.length}`,
    got: String(id),
    where: "--candidate",
  });
}
