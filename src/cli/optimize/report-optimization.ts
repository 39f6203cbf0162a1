import { relative } from "node:path";
import type { OptimizationResult } from "../../optimizer/index.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal, isMock, mockLabel } from "../../mock/index.ts";
import { optimizationText } from "./optimization-text.ts";
import type { PreparedOptimization } from "./prepare-optimization.ts";
import type { ReportOnTest } from "../../report/files.ts";
import { reportData } from "../../report/files.ts";
import { isGain } from "../terminal/figures-text.ts";
import { espalierCommand } from "../terminal/shell-command.ts";
import { capOptions } from "../arguments/option-memory.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";

export interface OptimizationToReport extends ReportOnTest {
  /** Its `best` is the candidate that was reported on. */
  readonly result: OptimizationResult;
  /** Whether --choose selected that candidate. */
  readonly isChosen: boolean;
  /** What happened to the examples that workers ran; absent if none did. */
  readonly workers?: QueueCounts;
  readonly opened: OpenedLms;
  readonly mocks: readonly Mock[];
  readonly runFolder: string;
}

/** Prints what test says of an optimized program. */
export function reportOptimization(
  { given, study, optimizer, seed, choice, budget }: PreparedOptimization,
  asked: OptimizationToReport,
): void {
  const { result, isChosen, report, figures, earlier, costs, workers, opened, mocks, runFolder } =
    asked;
  const { artifactPath: artifact } = asked;
  if (artifact === null) {
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
  const shown = { figures, ledger: costs, workers, choice: chosenBy, earlier, showAll };
  print(optimizationText(result, report, shown));
  if (artifact !== null) print(`artifact ${artifact}`);
  const next = nextCommands(given, {
    runFolder,
    artifact,
    isGain: isGain(figures),
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
            "which examples still fail on test",
          ],
          [
            ["serve", artifact, ...(isElsewhere ? ["--study", given.study] : []), ...forProgram],
            "as a chat model",
          ],
          page,
        ]
      : [
          [["eval", given.study, "--split", "val", ...all], "which examples failed on val before"],
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
