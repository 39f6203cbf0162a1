import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { writeArtifact } from "../artifact/index.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import { ledger, ledgered } from "../lm/index.ts";
import type { CandidateChoice, OptimizationResult } from "../optimizer/index.ts";
import {
  chooseCandidate,
  gepa,
  optimize,
  planOptimization,
  recordedReplies,
} from "../optimizer/index.ts";
import type { Study } from "../study/index.ts";
import type { AnyCommand } from "./arguments.ts";
import { lmArguments, wholeNumber } from "./arguments.ts";
import { budgetArguments, budgetOf, readPrices } from "./budget-options.ts";
import { withCandidate } from "./candidate-file.ts";
import { checkArguments } from "./check-arguments.ts";
import { checkWritable } from "./check-writable.ts";
import { parseChoice } from "./choose.ts";
import { exitCodes } from "./exit-code.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { jsonPath } from "./keep-artifact.ts";
import { loadStudy } from "./load-study.ts";
import type { LmChoice, OpenedLm } from "./open-lm.ts";
import { openLm } from "./open-lm.ts";
import { optimizationArtifact } from "./optimization-artifact.ts";
import { optimizationText } from "./optimization-text.ts";
import { optimizerProgressLine } from "./optimizer-progress-line.ts";
import { planText } from "./plan-text.ts";
import { reportData } from "./report-data.ts";
import { resumeCommand } from "./resume-command.ts";
import { isClaimable, testReport } from "./test-report.ts";
import { wholeLedger } from "./whole-ledger.ts";

const args = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
  ...budgetArguments,
  resume: { type: "string", description: "Go on with the run in this folder", valueHint: "RUN" },
  run: {
    type: "string",
    description: "Folder for the run's journal; without it one under .espalier/runs",
    valueHint: "RUN",
  },
  plan: {
    type: "boolean",
    description: "Only print what the budget allows; nothing is spent",
    default: false,
  },
  trainset: {
    type: "string",
    description: "One of the study's variants, on other data",
    valueHint: "NAME",
  },
  out: {
    type: "string",
    description: "File of the artifact; without it artifact.json in the run's folder",
    valueHint: "ARTIFACT",
  },
  "reflection-lm": {
    type: "string",
    description: "Base URL of the server that reflects; without it --lm",
    valueHint: "URL",
  },
  "reflection-model": { type: "string", description: "Model that reflects", valueHint: "NAME" },
  ...lmArguments,
  seed: {
    type: "string",
    description: "Seed of the run; without it the optimizer's",
    valueHint: "N",
  },
  repeats: {
    type: "string",
    description: "Runs of each example of test, whose mean counts: for noisy metrics and LMs",
    valueHint: "N",
    default: "1",
  },
  "search-repeats": {
    type: "string",
    description: "The same for every run of the search, each a metric call",
    valueHint: "N",
    default: "1",
  },
  "measure-latency": {
    type: "boolean",
    description: "Measure latencyMs for --choose and the front; it differs from run to run",
    default: false,
  },
  choose: {
    type: "string",
    description:
      'Take another candidate than the best: "quality>=0.6,fewest promptTokens"; with --resume also of a run that has ended',
    valueHint: "CHOICE",
  },
} as const;

/** `espalier optimize`: better components for a study's program, and what the test split says of them. */
export const optimizeSubcommand: AnyCommand = defineCommand({
  meta: {
    name: "optimize",
    description: "Optimize a study's program and report on its test split",
  },
  args,
  run: async ({ args: given, rawArgs }) => {
    checkArguments(rawArgs, args);
    const declared = await chooseStudy(given.study, given.trainset);
    const study = { ...declared, program: await withCandidate(declared.program, given.candidate) };
    const { optimizer = gepa() } = study;
    const budget = budgetOf(given, optimizer);
    const prices = await readPrices(given.prices);
    const repeats = wholeNumber("repeats", given.repeats, 1);
    const repetitions = wholeNumber("search-repeats", given["search-repeats"], 1);
    const choice = given.choose === undefined ? undefined : parseChoice(given.choose);
    const seed = given.seed === undefined ? optimizer.seed : wholeNumber("seed", given.seed, 0);
    checkTestSplit(study);
    const plan = planOptimization(study, {
      optimizer,
      budget,
      repetitions,
      ...(prices && { prices }),
    });
    console.error(planText(plan, study.trainset.splits.test.length, repeats));
    if (given.plan) {
      if (given.json) console.log(JSON.stringify({ study: study.name, budget, plan }));
      return;
    }
    const runFolder = given.resume ?? given.run ?? freshFolder(study.name);
    const artifactPath = jsonPath(given.out, "out") ?? join(runFolder, "artifact.json");
    await checkWritable("out", given.out);

    await using opened = await openLm(given);
    await using reflection = await openReflection(given);
    using interrupt = abortOnInterrupt();
    const { signal } = interrupt;
    const { concurrency } = opened;
    console.error(`run ${runFolder}`);
    try {
      const found = await optimizeWithProgress(study, {
        optimizer,
        budget,
        ...(prices && { prices }),
        seed,
        lm: opened.lm,
        ...(reflection === null ? {} : { reflectionLm: reflection.lm }),
        concurrency,
        repetitions,
        measuresLatency: given["measure-latency"],
        runFolder,
        resume: given.resume !== undefined,
        signal,
      });
      const result = choice === undefined ? found : chosen(study, found, choice);
      using replies = recordedReplies(opened.lm, join(runFolder, "report.jsonl"));
      const reportCosts = ledger();
      const report = await testReport(study, result.program, {
        lm: ledgered(replies.lm, reportCosts),
        concurrency,
        seed,
        repetitions: repeats,
        signal,
      });
      const costs = wholeLedger(result, reportCosts.snapshot(), replies.billed());
      const isAcceptable = isClaimable(report);
      if (isAcceptable) {
        const { study: studyPath } = given;
        const optimized = { study, studyPath, artifactPath, result, report, ledger: costs, opened };
        await writeArtifact(artifactPath, optimizationArtifact(optimized));
      } else {
        console.error("No artifact was written: too much of test stayed unscored.");
        process.exitCode = exitCodes.infrastructure;
      }
      console.log(`${study.name} on ${study.trainset.name}: ${optimizer.name}, seed ${seed}`);
      const { listenerFailures } = result;
      if (listenerFailures !== undefined) {
        console.error(`progress could not be shown: ${listenerFailures.first}`);
      }
      console.log(optimizationText(result, report, { ledger: costs, choice: given.choose }));
      if (isAcceptable) console.log(`artifact ${artifactPath}`);
      if (opened.isRehearsal) console.log(opened.warning);
      if (given.json) {
        console.log(
          JSON.stringify({
            program: study.program.name,
            trainset: study.trainset.name,
            lm: opened.report().lm,
            rehearsal: opened.isRehearsal,
            artifact: isAcceptable ? artifactPath : null,
            test: reportData(report),
            ledger: costs,
            run: runFolder,
            reason: result.reason,
            ...(result.detail === undefined ? {} : { detail: result.detail }),
            spent: result.spent,
            costUsd: result.costUsd,
            candidate: result.best.id,
            front: result.front,
          }),
        );
      }
    } catch (error) {
      const { code, kind } = failureOf(error);
      const isResumable =
        existsSync(join(runFolder, "journal.jsonl")) &&
        code !== "journal-mismatch" &&
        kind !== "budget";
      if (isResumable) console.error(`Go on with it: ${resumeCommand(rawArgs, runFolder)}`);
      throw error;
    }
  },
});

async function optimizeWithProgress(
  study: Study,
  options: Parameters<typeof optimize>[1],
): Promise<OptimizationResult> {
  using progress = optimizerProgressLine(study.objective.name);
  return optimize(study, { ...options, onEvent: progress.onEvent });
}

async function chooseStudy(path: string, variant: string | undefined): Promise<Study> {
  const study = await loadStudy(path);
  if (variant === undefined || variant === study.trainset.name) return study;
  const { variants = {} } = study;
  const make = variants[variant];
  if (make !== undefined) return make();
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The study "${study.name}" has no variant "${variant}"`,
    expected: [study.trainset.name, ...Object.keys(variants)].join(", "),
    where: "--trainset",
  });
}

/** The result with the candidate that is wanted in place of the best. */
function chosen(
  { program }: Study,
  result: OptimizationResult,
  choice: CandidateChoice,
): OptimizationResult {
  const best = chooseCandidate(result, choice);
  const { components } = best;
  return { ...result, best, components, program: program.with(components) };
}

/** Without it no claim could be made at the end, and everything would have been spent by then. */
function checkTestSplit({ trainset }: Study): void {
  if (trainset.splits.test.length > 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `Trainset \`${trainset.name}\` has no test split`,
    expected: "examples that no decision of the optimizer sees, to report on",
    fix: "Put some of val into a split `test`. Nothing was spent.",
  });
}

async function openReflection(
  given: LmChoice & {
    readonly "reflection-lm"?: string | undefined;
    readonly "reflection-model"?: string | undefined;
  },
): Promise<(OpenedLm & AsyncDisposable) | null> {
  const { "reflection-lm": lm, "reflection-model": model } = given;
  if (lm === undefined && model === undefined) return null;
  return openLm({ ...given, lm: lm ?? given.lm, model });
}

function freshFolder(study: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  return join(".espalier", "runs", `${study}-${time}`);
}
