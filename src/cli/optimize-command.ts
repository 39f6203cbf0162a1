import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { writeArtifact } from "../artifact/index.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import type { LedgerSnapshot } from "../lm/index.ts";
import { ledger, ledgered } from "../lm/index.ts";
import type { Budget, OptimizationResult } from "../optimizer/index.ts";
import { gepa, optimize, planOptimization, recordedReplies } from "../optimizer/index.ts";
import type { Study } from "../study/index.ts";
import type { AnyCommand } from "./arguments.ts";
import { lmArguments, wholeNumber } from "./arguments.ts";
import { withCandidate } from "./candidate-file.ts";
import { checkArguments } from "./check-arguments.ts";
import { checkWritable } from "./check-writable.ts";
import { exitCodes } from "./exit-code.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { jsonPath } from "./keep-artifact.ts";
import { loadStudy } from "./load-study.ts";
import type { LmChoice, OpenedLm } from "./open-lm.ts";
import { openLm } from "./open-lm.ts";
import { optimizationArtifact } from "./optimization-artifact.ts";
import { optimizationText, planText } from "./optimization-text.ts";
import { optimizerProgressLine } from "./optimizer-progress-line.ts";
import type { ReportedFigure, TestReport } from "./test-report.ts";
import { testReport } from "./test-report.ts";

const args = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
  budget: {
    type: "string",
    description: "Most metric calls; without it the study's own budget",
    valueHint: "N",
  },
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
    const budget = budgetOf(given.budget, optimizer.budget);
    const seed = given.seed === undefined ? optimizer.seed : wholeNumber("seed", given.seed, 0);
    checkTestSplit(study);
    const plan = planOptimization(study, { optimizer, budget });
    console.error(planText(plan, study.trainset.splits.test.length));
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
      const result = await optimizeWithProgress(study, {
        optimizer,
        budget,
        seed,
        lm: opened.lm,
        ...(reflection === null ? {} : { reflectionLm: reflection.lm }),
        concurrency,
        runFolder,
        resume: given.resume !== undefined,
        signal,
      });
      using replies = recordedReplies(opened.lm, join(runFolder, "report.jsonl"));
      const reportCosts = ledger();
      const report = await testReport(study, result.program, {
        lm: ledgered(replies.lm, reportCosts),
        concurrency,
        seed,
        signal,
      });
      const costs = wholeLedger(result, reportCosts.snapshot(), replies.billed());
      const isAcceptable = report.seed.isAcceptable && report.optimized.isAcceptable;
      if (isAcceptable) {
        const { study: studyPath } = given;
        const optimized = { study, studyPath, artifactPath, result, report, ledger: costs, opened };
        await writeArtifact(artifactPath, optimizationArtifact(optimized));
      } else {
        console.error("No artifact was written: too much of test stayed unscored.");
        process.exitCode = exitCodes.infrastructure;
      }
      console.log(`${study.name} on ${study.trainset.name}: ${optimizer.name}, seed ${seed}`);
      console.log(optimizationText(result, report, costs));
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
            spent: result.spent,
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

function budgetOf(given: string | undefined, own: Budget | undefined): Budget {
  if (given !== undefined) return { ...own, metricCalls: wholeNumber("budget", given, 1) };
  if (own !== undefined) return own;
  throw new EspalierError({
    code: "usage-invalid",
    problem: "A run needs a budget, and the study's optimizer has none",
    expected: "--budget N, in metric calls: runs of the program, each judged",
    fix: "See what one allows with --plan",
  });
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

/** The same words, with the run's folder in place of what named one. */
function resumeCommand(rawArgs: readonly string[], runFolder: string): string {
  const kept = rawArgs.filter((argument, place) => {
    const before = rawArgs[place - 1];
    const isNamed = (name: string): boolean => argument === name || argument.startsWith(`${name}=`);
    return !isNamed("--resume") && !isNamed("--run") && before !== "--resume" && before !== "--run";
  });
  const words = ["espalier", "optimize", ...kept, "--resume", runFolder];
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}

/** Of search and report together. */
function wholeLedger(
  { ledger: search }: OptimizationResult,
  report: LedgerSnapshot,
  billed: ReturnType<ReturnType<typeof recordedReplies>["billed"]>,
): LedgerSnapshot {
  const costs = ledger(search);
  const { student } = report.byRole;
  if (student !== undefined) {
    const entry = { logical: student.logical, billed: billed.student ?? student.billed };
    costs.merge({ total: entry, byRole: { student: entry } });
  }
  return costs.snapshot();
}

function reportData(report: TestReport): object {
  return { ...figureData(report), objectives: report.objectives.map(figureData) };
}

function figureData({ metric, seed, optimized, comparison }: ReportedFigure): object {
  const { difference, interval, verdict, pValue, examples, clusters } = comparison;
  return {
    metric,
    seed: seed.value,
    optimized: optimized.value,
    difference: { mean: difference, low: interval?.low ?? null, high: interval?.high ?? null },
    intervals: { seed: seed.interval, optimized: optimized.interval },
    verdict,
    pValue,
    examples,
    clusters,
  };
}
