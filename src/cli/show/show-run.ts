import { existsSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import type { CandidateRecord, RecordedRun } from "../../optimizer/index.ts";
import type { ReportedFigure, ReportsFile } from "../../optimizer/files.ts";
import {
  chooseCandidate,
  figuresOnTest,
  readReports,
  readRun,
  runFolderFiles,
} from "../../optimizer/files.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { parseChoice } from "../arguments/parse-choice.ts";
import { writePage } from "../compare/write-page.ts";
import { reportedCosts } from "../reports/reported-costs.ts";
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
  const onTest = figuresOnTest(await reportedIn(folder), recorded.candidates);
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

/** Runs of earlier versions have them in their artifact alone. */
async function reportedIn(folder: string): Promise<ReportsFile["figures"]> {
  const { figures } = readReports(folder);
  const path = runFolderFiles(folder).artifact;
  if (Object.keys(figures).length > 0 || !existsSync(path)) return figures;
  const { readArtifact } = await import("../../artifact/files.ts");
  const { compiled, run } = await readArtifact(path);
  const { seedOnTest: seed, comparison } = run as Partial<OlderReport>;
  const optimized = compiled.scores.find(({ split }) => split === "test");
  const candidate = compiled.optimizer?.["best"];
  if (!seed || !comparison || !optimized || typeof candidate !== "string") return {};
  const { metric, ...measured } = optimized;
  const figure = { metric: metric.name, seed, optimized: measured, comparison, isClaimable: true };
  return { [candidate]: [figure] };
}

interface OlderReport {
  readonly seedOnTest: ReportedFigure["seed"];
  readonly comparison: ReportedFigure["comparison"];
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
