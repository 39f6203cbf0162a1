import { relative } from "node:path";
import { writeArtifact } from "../../artifact/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { OptimizationResult } from "../../optimizer/index.ts";
import { runFolderFiles, readReports, writeReports } from "../../optimizer/files.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal, isMock, mockLabel } from "../../mock/index.ts";
import { optimizationArtifact } from "./optimization-artifact.ts";
import { optimizationText } from "./optimization-text.ts";
import type { PreparedOptimization } from "./prepare-optimization.ts";
import type { TestReport } from "./test-report.ts";
import { isClaimable, reportData, reportedFigures } from "./test-report.ts";
import { isGain } from "../terminal/figures-text.ts";
import { espalierCommand } from "../terminal/shell-command.ts";
import { capOptions } from "../arguments/option-memory.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";
import type { ReportedFigure, ScoresOnTest } from "../../optimizer/files.ts";

export interface OptimizationToReport {
  /** Its `best` is the candidate to report on. */
  readonly result: OptimizationResult;
  /** Whether --choose selected that candidate. */
  readonly isChosen: boolean;
  readonly report: TestReport;
  /** Candidates of the run that were reported on earlier. */
  readonly earlier: readonly number[];
  readonly costs: LedgerSnapshot;
  /** What happened to the examples that workers ran; absent if none did. */
  readonly workers?: QueueCounts;
  readonly opened: OpenedLms;
  readonly mocks: readonly Mock[];
  readonly runFolder: string;
}

/** Writes the artifact if test supports a claim, and prints the report. */
export async function reportOptimization(
  { given, study, optimizer, seed, choice, budget }: PreparedOptimization,
  asked: OptimizationToReport,
): Promise<void> {
  const { result, isChosen, report, earlier, costs, workers, opened, mocks, runFolder } = asked;
  // --out is for the requested candidate; artifact.json always holds the best one.
  const isAsked = isChosen || choice === undefined;
  const files = runFolderFiles(runFolder);
  const inRun = isChosen ? files.artifactOf(result.best.id) : files.artifact;
  const artifactPath = (isAsked ? given.out : undefined) ?? inRun;
  const isAcceptable = isClaimable(report);
  if (isAcceptable) {
    const { study: studyPath } = given;
    const optimized = {
      study,
      studyPath,
      artifactPath,
      result,
      report,
      ledger: costs,
      workers,
      opened,
      mocks,
    };
    await writeArtifact(artifactPath, await optimizationArtifact(optimized));
  } else {
    printToStderr("No artifact was written: too many test examples remained unscored.");
    process.exitCode = exitCodes.infrastructure;
  }
  print(`${study.name} on ${study.trainset.name}: ${optimizer.name}, seed ${seed}`);
  const { listenerFailures, reason, detail, spent, costUsd, front, best } = result;
  if (listenerFailures !== undefined) {
    printToStderr(`failed to show progress: ${listenerFailures.first}`);
  }
  const chosenBy = isChosen ? given.choose : undefined;
  const showAll = espalierCommand([
    "show",
    runFolder,
    ...(isChosen ? ["--candidate", String(best.id)] : []),
  ]);
  const shown = { ledger: costs, workers, choice: chosenBy, earlier, showAll };
  print(optimizationText(result, report, shown));
  if (isAcceptable) print(`artifact ${artifactPath}`);
  const artifact = isAcceptable ? artifactPath : null;
  const next = nextCommands(given, {
    runFolder,
    artifact,
    isGain: isGain(reportedFigures(report)),
    isRehearsed: isMock(opened.lm.identity),
    seed,
    metricCalls: budget.metricCalls,
  });
  print(joinLines(["", ...next]));
  // Last, where it is not overlooked.
  const { warning } = mockLabel(mocks);
  if (warning !== "") print(joinLines(["", warning]));
  if (!given.json) return;
  print(
    JSON.stringify({
      program: study.program.name,
      trainset: study.trainset.name,
      ...lmsOf(opened),
      rehearsal: isRehearsal(mocks),
      mocks,
      artifact,
      test: reportData(report),
      reportedBefore: earlier,
      ledger: costs,
      ...(workers && { workers }),
      run: runFolder,
      reason,
      ...(detail === undefined ? {} : { detail }),
      spent,
      costUsd,
      seconds: result.seconds,
      candidate: best.id,
      ...(choice === undefined ? {} : { choiceMet: isChosen }),
      front,
      ...(result.neverInvoked && { neverInvoked: result.neverInvoked }),
      ...(result.disputes && { disputes: result.disputes }),
    }),
  );
}

function lmsOf(opened: OpenedLms): Pick<ReturnType<OpenedLms["report"]>, "lm" | "judgeLm" | "lms"> {
  const { lm, judgeLm, lms } = opened.report();
  return { lm, ...(judgeLm && { judgeLm }), ...(lms && { lms }) };
}

/** What was given on the command line, by option; the study under `study`. */
type Given = Readonly<Record<string, unknown>> & { readonly study: string };

/** What to do with a result, as commands that run as they are printed. */
function nextCommands(
  given: Given,
  {
    runFolder,
    artifact,
    isGain,
    isRehearsed,
    seed,
    metricCalls,
  }: {
    readonly runFolder: string;
    readonly artifact: string | null;
    /** Whether test showed that the artifact is worth serving. */
    readonly isGain: boolean;
    /** Whether a mock plays the LM, whose server may end with this command. */
    readonly isRehearsed: boolean;
    readonly seed: number;
    /** The budget. */
    readonly metricCalls: number | undefined;
  },
): readonly string[] {
  const forProgram = [
    ...(isRehearsed && given["rehearsal"] !== true ? ["--lm", "rehearsal"] : []),
    ...optionsOf(given, [
      "rehearsal",
      "servers",
      ...(isRehearsed ? [] : ["lm", "model"]),
      "lm-for",
    ]),
  ];
  const forStudy = optionsOf(given, ["trainset", "judge-lm", "allow-side-effects"]);
  const all = [...forStudy, ...forProgram];
  const isElsewhere = artifact !== null && relative(".", artifact).startsWith("..");
  const page = [
    ["show", runFolder, "--html", "report.html"],
    "each candidate, on one page",
  ] as const;
  const rows: readonly (readonly [words: readonly string[], about: string])[] =
    artifact !== null && isGain
      ? [
          [
            ["eval", given.study, "--split", "test", "--candidate", artifact, ...all],
            "what it still fails on test",
          ],
          [
            ["serve", artifact, ...(isElsewhere ? ["--study", given.study] : []), ...forProgram],
            "as a chat model",
          ],
          page,
        ]
      : [
          [["eval", given.study, "--split", "val", ...all], "what the program fails on val"],
          [
            [
              "optimize",
              given.study,
              ...all,
              ...optionsOf(given, searchOptions),
              ...(metricCalls === undefined ? [] : ["--budget", String(2 * metricCalls)]),
              "--seed",
              String(seed + 1),
            ],
            `another seed${metricCalls === undefined ? "" : ", twice the budget"}`,
          ],
          page,
        ];
  return ["next", ...rows.map(([words, about]) => `  ${espalierCommand(words)}  # ${about}`)];
}

const searchOptions = [
  "optimizer",
  "candidate",
  "reflection-lm",
  "search-repeats",
  "repeats",
  ...capOptions.filter((name) => name !== "budget"),
];

/** Options that were given, as words; one with its usual value says nothing. */
function optionsOf(given: Given, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const value = given[name];
    if (name.endsWith("repeats") && value === "1") return [];
    if (typeof value === "string") return [`--${name}`, value];
    return value === true ? [`--${name}`] : [];
  });
}

/**
 * Logs that a candidate of a run is about to be reported on, before the report looks at test.
 *
 * @returns the candidates first reported on before this one, in that order. Repeating a report
 *   reveals nothing new, so it is not logged twice.
 */
export async function logReport(runFolder: string, candidate: number): Promise<readonly number[]> {
  const logged = readReports(runFolder);
  const { candidates } = logged;
  const index = candidates.indexOf(candidate);
  if (index >= 0) return candidates.slice(0, index);
  await writeReports(runFolder, { ...logged, candidates: [...candidates, candidate] });
  return candidates;
}

/** Logs what the report on a candidate used and found; replaces those of an earlier one on it. */
export async function logOutcome(
  runFolder: string,
  candidate: number,
  {
    ledger: { byRole },
    figures,
    scores,
  }: {
    readonly ledger: LedgerSnapshot;
    readonly figures: readonly ReportedFigure[];
    readonly scores: { readonly seed: ScoresOnTest; readonly optimized: ScoresOnTest };
  },
): Promise<void> {
  const logged = readReports(runFolder);
  const logical = Object.entries(byRole).map(([role, entry]) => [role, entry.logical]);
  await writeReports(runFolder, {
    ...logged,
    used: { ...logged.used, [candidate]: Object.fromEntries(logical) },
    figures: { ...logged.figures, [candidate]: figures },
    scores: { ...logged.scores, 0: scores.seed, [candidate]: scores.optimized },
  });
}
