import type { Example } from "../../contract/index.ts";
import type { Evaluation } from "../../evaluate/index.ts";
import { evaluate, evaluateTogether } from "../../evaluate/index.ts";
import { labelledCandidates } from "../../optimizer/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { sampleByCluster } from "../../trainset/index.ts";
import { finiteNumber, wholeNumber } from "../arguments/arguments.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { ledgerText } from "../eval/evaluation-text.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { chooseStudy } from "../load/choose-study.ts";
import { intervalText, modelText, signedText } from "../terminal/figures-text.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { columns, joinLines, print, printToStderr } from "../terminal/terminal.ts";
import type { HeadroomGiven } from "./headroom-arguments.ts";
import type { HeadroomFigures, HeadroomRow } from "./headroom-figures.ts";
import { headroomFigures } from "./headroom-figures.ts";

/** Runs the program and a few sets of labels on a sample of val, and says whether to search. */
export async function runHeadroom(given: HeadroomGiven): Promise<void> {
  const seed = wholeNumber("seed", given.seed, 0);
  const most = finiteNumber("calls", given.calls, {
    accepts: (value) => Number.isInteger(value) && value >= 60 && value <= 600,
    expected: "a whole number from 60 to 600",
  });
  const servers = await runServers(given, { roles: ["judge"] });
  const { parts } = servers;
  const declared = await chooseStudy(given.study, { trainset: given.trainset, parts });
  const program = await withCandidate(declared.program, given.candidate);
  const study = { ...declared, program };
  const { objective } = study;
  const { name: trainset, checksum, splits, strata = [] } = study.trainset;
  const candidates = labelledCandidates(study, { seed });
  const names = candidates.map(({ name }) => name);
  const others = candidates.map(({ components }) => program.with(components));
  const canScore = (example: Example): boolean => objective.appliesTo?.(example) ?? true;
  const [val, test] = [splits.val.filter(canScore), splits.test.filter(canScore)];
  // All programs see the same rows; the repeat takes what remains, half of them or more.
  const count = Math.floor(most / (others.length + 1.5));
  const examples = sampleByCluster(val, { count, seed, strata });
  const left = most - (others.length + 1) * examples.length;
  const repeated = sampleByCluster(examples, { count: left, seed, strata });

  await using opened = await openLms(servers, given, { programs: [program] });
  announceParts(opened);
  using interrupt = abortOnInterrupt();
  using progress = progressLine(study.name);
  const { lm, lms, judgeLm, concurrency } = opened;
  const asked = {
    metric: objective,
    lm,
    lms,
    ...(judgeLm && { judgeLm }),
    concurrency,
    seed,
    // Another run after a fault would exceed the cap.
    faultRetries: 0,
    stopsOnAbsence: true,
    resamples: 0,
    signal: interrupt.signal,
    onEvent: progress.onEvent,
  };
  const all = await evaluateTogether({ ...asked, programs: [program, ...others], examples });
  // Another repetition: no recorded reply of the first one is an answer to it.
  const again = await evaluate({ ...asked, program, examples: repeated, firstRepetition: 1 });

  const runs = all.length * examples.length + repeated.length;
  const rows = commonRows(all, again);
  if (rows.length === 0) {
    printToStderr("No row was scored in all of its runs, so there is nothing to report.");
    process.exitCode = exitCodes.infrastructure;
    return;
  }
  const figures = headroomFigures(rows, { names, testRows: test.length, seed });
  const { isRehearsal: rehearsal, ...about } = opened.report();
  const report = {
    study: study.name,
    trainset: { name: trainset, checksum },
    metric: objective.name,
    seed,
    ...about,
    rehearsal,
    runs,
    // Rows of val, and those of the sample to which some run gave no score.
    val: val.length,
    leftOut: examples.length - rows.length,
    ...figures,
    testRows: test.length,
  };
  print(joinLines(reportLines(report)));
  const { warning } = mockLabel(about.mocks);
  if (warning !== "") print(warning);
  if (given.json) print(JSON.stringify(report));
}

/** The rows that every program scored: a fault of a server is no score. */
function commonRows(
  all: readonly [Evaluation, ...Evaluation[]],
  again: Evaluation,
): readonly HeadroomRow[] {
  const repeats = new Map(again.rows.map(({ exampleId, score }) => [exampleId, score]));
  return all[0].rows.flatMap((row, index) => {
    const scores = all.flatMap(({ rows }) => rows[index]?.score ?? []);
    const values = scores.flatMap((score) => (score.kind === "scored" ? [score.value] : []));
    const [declared, ...candidates] = values;
    if (declared === undefined || values.length < scores.length) return [];
    const repeat = repeats.get(row.exampleId);
    const failure = "output" in row ? undefined : row.failure?.code;
    return {
      cluster: row.cluster,
      declared,
      candidates,
      ...(repeat?.kind === "scored" && { again: repeat.value }),
      ...(failure !== undefined && { failure }),
    };
  });
}

type Report = HeadroomFigures &
  Readonly<Record<"study" | "metric", string>> &
  Readonly<Record<"seed" | "runs" | "val" | "leftOut" | "testRows", number>> &
  Pick<ReturnType<OpenedLms["report"]>, "lm" | "mocks" | "ledger">;

function reportLines(report: Report): readonly string[] {
  const { lm, leftOut, crossFitted, noise, smallestGain, shares } = report;
  const { gain = 0, standardError = null } = crossFitted ?? {};
  const error = standardError === null ? "" : ` ± ${standardError.toFixed(4)}`;
  const fitted = `${signedText(gain)}${error}`;
  const why =
    crossFitted === null
      ? "no label in train matches an output of a predictor; the study's `gold` can say what a predictor should write"
      : `the best set of labels gains ${fitted} on rows that were not used to choose it`;
  const codes = Object.entries(shares.withoutOutputs).map(
    ([code, one]) => `${percent(one)} ${code}`,
  );
  return [
    `${report.study}: ${report.rows} of ${report.val} rows of val, ${report.runs} runs`,
    `LM ${modelText(lm, mockLabel(report.mocks))}, seed ${report.seed}`,
    leftOut > 0 &&
      `left out: ${leftOut} rows without a score in some run, for example because a server failed`,
    "",
    `verdict: ${report.verdict}: ${why}`,
    "",
    ...columns([
      [report.metric, "mean", "gain"],
      ["as declared", report.declared.toFixed(4)],
      ...report.candidates.map(({ name, mean, gain: own, interval }) => {
        return [`with ${name}`, mean.toFixed(4), signedText(own), intervalText(interval)];
      }),
    ]),
    report.best !== null &&
      `best set: ${report.best}; the verdict's gain (± standard error) is that of sets chosen on half of the rows and scored on the other half`,
    noise !== null &&
      `noise: two runs of the program on ${noise.rows} rows differ by ${signedText(noise.difference)}; ${percent(noise.changed)} of them changed`,
    smallestGain !== null &&
      `test: its ${report.testRows} rows can show a gain of ${smallestGain.toFixed(4)} or more (95 %, power .8)`,
    `rows: ${percent(shares.right)} right as declared; ${percent(shares.rightWithSome)} right only with some set (demonstrations can help); ${percent(shares.rightWithNone)} right with none (the model lacks knowledge or a better instruction)`,
    `rows without an output: ${codes.join(", ") || "none"}`,
    "",
    ...ledgerText(report.ledger),
  ].filter((line) => line !== false);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
