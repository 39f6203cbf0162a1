import type { SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Comparison, Evaluation } from "../../evaluate/index.ts";
import { compare, evaluate, EvaluationStopped } from "../../evaluate/index.ts";
import type { Study } from "../../study/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { standInLabel } from "../../stand-in/index.ts";
import { baselineDifferences, checkBaseline } from "./baseline.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import type { CollectionReport } from "./collection-means.ts";
import { collectionMeans } from "./collection-means.ts";
import type { EvalGiven } from "./eval-arguments.ts";
import type { EvaluationFile } from "./evaluation-file.ts";
import { evaluationSummary, readEvaluation, writeEvaluation } from "./evaluation-file.ts";
import { comparisonText, evaluationText } from "./evaluation-text.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { jsonPath, keepArtifact } from "../artifact/keep-artifact.ts";
import { loadStudy } from "../load/load-study.ts";
import type { OpenedLm } from "../lm/open-lm.ts";
import { openJudgedLm } from "../lm/open-judged-lm.ts";
import { progressLine } from "../terminal/progress-line.ts";
import type { StoppedContext } from "./evaluation-file.ts";
import { writeStopped } from "./evaluation-file.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

/** Evaluates, prints the result and writes the requested files; also saves a stopped evaluation. */
export async function runEvaluation(given: EvalGiven): Promise<void> {
  const seed = wholeNumber("seed", given.seed, 0);
  const declared = await loadStudy(given.study);
  const study = { ...declared, program: await withCandidate(declared.program, given.candidate) };
  const artifactPath = jsonPath(given.artifact);
  const examples = examplesOf(study, given.split, given.limit);
  // Everything that could fail at the end is checked before any cost is incurred.
  const reportByCollection =
    given.collections === undefined ? undefined : collectionMeans(given.collections, examples);
  const baseline = given.baseline === undefined ? undefined : await readEvaluation(given.baseline);
  if (baseline !== undefined) checkBaseline(baseline, study, examples);
  await checkWritable("out", given.out);
  await checkWritable("artifact", artifactPath, { isShared: true });

  await using opened = await openJudgedLm(given);
  using interrupt = abortOnInterrupt();
  using progress = progressLine(`${study.name} on ${given.split}`);
  const { split } = given;
  const running = evaluate({
    program: study.program,
    examples,
    metric: study.objective,
    lm: opened.lm,
    ...(opened.judgeLm && { judgeLm: opened.judgeLm }),
    concurrency: opened.concurrency,
    stopsOnAbsence: true,
    seed,
    signal: interrupt.signal,
    onEvent: progress.onEvent,
  });
  const context = (): StoppedContext => ({
    study: study.name,
    split,
    ...opened.report(),
    program: { name: study.program.name, version: study.program.version },
    metric: { name: study.objective.name, version: study.objective.version },
    seed,
  });
  const evaluation = await running.catch((error: unknown) =>
    saveStopped(error, context(), given.out),
  );
  const file: EvaluationFile = { study: study.name, split, ...opened.report(), evaluation };
  print(evaluationText(file));
  const byCollection = reportByCollection?.(evaluation);
  if (byCollection !== undefined) print(`\n${byCollection.text}`);
  if (given.out !== undefined) await writeEvaluation(given.out, file);
  if (artifactPath !== undefined) {
    await keepArtifact({
      study,
      studyPath: given.study,
      artifactPath,
      split,
      evaluation,
      opened,
    });
  }
  conclude(file, opened, { baseline, study, byCollection, json: given.json });
  if (!evaluation.isAcceptable) process.exitCode = exitCodes.infrastructure;
}

function examplesOf({ trainset }: Study, split: SplitName, limit: string | undefined) {
  const all = trainset.splits[split];
  const examples = limit === undefined ? all : all.slice(0, wholeNumber("limit", limit, 1));
  if (examples.length > 0) return examples;
  const sizes = Object.entries(trainset.splits).map(([name, { length }]) => `${name} ${length}`);
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The split "${split}" of trainset "${trainset.name}" is empty`,
    got: sizes.join(", "),
    fix: "Choose another split with --split",
  });
}

/** Prints the comparison and the JSON line, after the result was printed and saved. */
function conclude(
  file: EvaluationFile,
  opened: OpenedLm,
  {
    baseline,
    study,
    byCollection,
    json,
  }: {
    readonly baseline: EvaluationFile | undefined;
    readonly study: Study;
    readonly byCollection: CollectionReport | undefined;
    readonly json: boolean;
  },
): void {
  let compared: object = {};
  try {
    if (baseline !== undefined) {
      const comparison = compareFiles(baseline, file, study);
      const differs = baselineDifferences(baseline, file);
      print(comparisonText(comparison));
      if (differs.length > 0) print(`The baseline used ${differs.join("; ")}.`);
      compared = { comparison, baselineDiffers: differs };
    }
  } finally {
    if (opened.standIns.length > 0) print(standInLabel(true).warning);
    if (json) {
      const collections = byCollection && { collections: byCollection.figures };
      print(JSON.stringify({ ...evaluationSummary(file), ...collections, ...compared }));
    }
  }
}

function compareFiles(
  baseline: EvaluationFile,
  { split, evaluation }: EvaluationFile,
  { objective, trainset }: Study,
): Comparison {
  const aggregate =
    objective.aggregate === undefined
      ? {}
      : { aggregate: { metric: objective, examples: trainset.splits[split] } };
  return compare(baseline.evaluation, evaluation, aggregate);
}

/**
 * Reports what a stopped evaluation did and spent, and saves its rows, before the error propagates.
 */
async function saveStopped(
  error: unknown,
  context: StoppedContext,
  out: string | undefined,
): Promise<Evaluation> {
  if (EvaluationStopped.isInstance(error)) {
    const { logical, billed } = context.ledger.total;
    printToStderr(
      `Stopped after ${error.rows.length} of ${error.total} examples; ${logical.calls} LM calls, ${billed.calls} of them sent to the server.`,
    );
    if (out !== undefined) {
      await writeStopped(out, context, error);
      printToStderr(`The finished rows are in ${out}, marked as stopped.`);
    }
  }
  throw error;
}
