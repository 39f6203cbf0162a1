import { existsSync } from "node:fs";
import { nothingToResume, checkUnused, freshRunFolder } from "../arguments/runs-folder.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { EspalierError, failureOf } from "../../errors/index.ts";
import type { CandidateChoice, OptimizationResult } from "../../optimizer/index.ts";
import { chooseCandidate } from "../../optimizer/index.ts";
import { readReports, runFolderFiles, holdsRun, stopFileDetail } from "../../optimizer/files.ts";
import { distinctMocks, mocksAmong } from "../../mock/index.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import { commandToResume, rememberOptions, rememberedOptions, checkStopFile } from "./resuming.ts";
import { abortOnInterrupt, isAnnounced } from "../arguments/interrupt.ts";
import { jsonPath } from "../artifact/keep-artifact.ts";
import { reportOptimization } from "./report-optimization.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import type { PreparedOptimization } from "./prepare-optimization.ts";
import { runSearch } from "./run-search.ts";
import { repeatedRows, reportInContext } from "../../report/files.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";
import { openRunner } from "../workers/open-runner.ts";
import { queueText } from "../packages/workers-package.ts";
import { trackedSearch } from "../tracking/tracked-work.ts";
import { parseArgs } from "citty";
import { optimizeArguments } from "./optimize-arguments.ts";
import { manifest } from "../arguments/manifest.ts";
import { planText } from "./plan-text.ts";
import { prepareOptimization } from "./prepare-optimization.ts";

/**
 * Searches, reports on test and writes the artifact. If it fails, prints the command that resumes
 * the run.
 *
 * @param preamble is printed after the mocks, which come first
 */
async function runOptimization(
  prepared: PreparedOptimization,
  words: readonly string[],
  preamble: string,
): Promise<void> {
  const { given, servers, study } = prepared;
  const runFolder = given.resume ?? given.run ?? freshRunFolder(study.name);
  const out = jsonPath(given.out, "out");
  await checkWritable("out", out, { isShared: true });
  const isContinued = checkStopFile(given, runFolder);
  // A malformed log of reports fails here, before any cost is incurred.
  readReports(runFolder);
  await using opened = await openLms(servers, given, { programs: [study.program] });
  const teacher = mocksAmong({ teacherLm: prepared.optimizer.teacherLm?.identity });
  const mocks = distinctMocks([...opened.mocks, ...teacher]);
  announceParts({ lms: opened.lms, mocks });
  printToStderr(preamble);
  using interrupt = abortOnInterrupt(() =>
    holdsRun(runFolder) ? `To resume: ${commandToResume(words, runFolder)}` : "",
  );
  const { signal } = interrupt;
  const { secrets } = opened;
  await using tracking = await trackedSearch(given, { runFolder, secrets });
  printToStderr(`run ${runFolder}`);
  if (isContinued) printToStderr("resuming the run that its `stop` file ended");
  const { declared, modules } = prepared;
  await using runner = await openRunner(given, { study: declared, modules, opened, runFolder });
  let isReported = false;
  try {
    if (given.resume === undefined) await rememberOptions(runFolder, given, words);
    const { lm, lms, reflectionLm, judgeLm, concurrency } = opened;
    const asked = {
      lm,
      lms,
      ...(judgeLm && { judgeLm }),
      concurrency,
      seed: prepared.seed,
      allowsSideEffects: given["allow-side-effects"],
      runFolder,
      ...(runner && { runner }),
      signal,
    };
    const { optimizer, budget, prices, repetitions, choice } = prepared;
    const search = {
      ...asked,
      optimizer,
      budget,
      ...(prices && { prices }),
      mocks: opened.mocks,
      ...(reflectionLm && { reflectionLm }),
      repetitions,
      measuresLatency: given["measure-latency"],
      resume: given.resume !== undefined,
      reopen: isContinued,
      ...tracking.listeners,
    };
    const found = await runSearch(study, search, choice);
    const { result, unmet } = applyChoice(found, choice);
    const isChosen = choice !== undefined && unmet === undefined;
    // --out is for the requested candidate; artifact.json always holds the best one.
    const isAsked = isChosen || choice === undefined;
    const files = runFolderFiles(runFolder);
    const inRun = isChosen ? files.artifactOf(result.best.id) : files.artifact;
    const onTest = {
      ...asked,
      artifactPath: (isAsked ? given.out : undefined) ?? inRun,
      studyPath: given.study,
      repetitions: prepared.repeats,
      measuresDrift: prepared.measuresDrift,
      progress: progressLine,
    };
    const reported = await reportInContext(study, result, onTest, () => {
      const { lms } = opened.report();
      const workers = runner && { ...runner.counts };
      const { version: espalier } = manifest;
      const { server } = opened;
      const run = { espalier, ...(lms && { lms }), ...(workers && { workers }), server };
      return { mocks, costs: servers.costs.snapshot(), run };
    });
    runner?.finish();
    reportOptimization(prepared, {
      ...reported,
      result,
      isChosen,
      ...(runner && { workers: { ...runner.counts } }),
      mocks,
      opened,
      runFolder,
    });
    isReported = true;
    await tracking.finish();
    if (result.detail === stopFileDetail) {
      printToStderr(
        `Remove the file to continue: ${commandToResume(words, runFolder, ["choose"])}`,
      );
    }
    if (unmet !== undefined) throw unmet;
  } catch (error) {
    if (runner !== undefined && !isReported && runner.counts.jobs > 0) {
      printToStderr(queueText(runner.counts));
    }
    const { code, kind } = failureOf(error);
    const isResumable = holdsRun(runFolder) && !notResumable.has(code) && kind !== "budget";
    const isChoice = code === "choice-unmet" || code === "option-invalid";
    if (isResumable && !isAnnounced(error)) {
      const command = commandToResume(words, runFolder, isChoice ? ["choose"] : []);
      printToStderr(`To resume: ${command}`);
    }
    throw error;
  }
}

/** Errors that resuming would run into again. */
const notResumable = new Set<ErrorCode>(["journal-mismatch", "file-malformed", "search-hopeless"]);

/**
 * Replaces the result's best candidate with the chosen one; keeps the best if no candidate matches.
 */
function applyChoice(
  result: OptimizationResult,
  choice: CandidateChoice | undefined,
): { readonly result: OptimizationResult; readonly unmet?: EspalierError } {
  if (choice === undefined) return { result };
  try {
    const best = chooseCandidate(result, choice);
    return { result: { ...result, best } };
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    return { result, unmet: error };
  }
}

/** A run that was killed at once has only its command. */
function isBegun(runFolder: string): boolean {
  return holdsRun(runFolder) || existsSync(runFolderFiles(runFolder).command);
}

/** Prints the plan for the command line and, without --plan, executes it. */
export async function planOrOptimize(
  rawArgs: readonly string[],
  resumed: string | undefined,
): Promise<void> {
  if (resumed !== undefined && !isBegun(resumed)) throw nothingToResume("run", resumed, isBegun);
  const remembered = await rememberedOptions(rawArgs, resumed);
  const words = [...remembered, ...rawArgs];
  const given = parseArgs<typeof optimizeArguments>([...words], optimizeArguments);
  if (!given.plan && given.resume === undefined) checkUnused(given.run);
  const prepared = await prepareOptimization(given);
  const { study, plan, budget, repeats, measuresDrift } = prepared;
  const { test } = study.trainset.splits;
  const repeated = measuresDrift ? repeatedRows(test).length : 0;
  const preamble = [
    ...(remembered.length === 0 ? [] : [joinLines([`original options: ${remembered.join(" ")}`])]),
    planText(plan, { budget, testSize: test.length, repeats, repeated }),
  ].join("\n");
  if (!given.plan) return runOptimization(prepared, words, preamble);
  printToStderr(preamble);
  if (given.json) print(JSON.stringify({ study: study.name, budget, plan }));
}
