import type { Comparison, Evaluation, EvaluationEvent } from "../../evaluate/index.ts";
import {
  byCollection,
  compare,
  evaluate,
  EvaluationStopped,
  scoresByExample,
  uncapped,
} from "../../evaluate/index.ts";
import { excerpt, mapValues, oneLine } from "../../internal/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Study } from "../../study/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { changedScores } from "../../statistics/index.ts";
import { mockLabel } from "../../mock/index.ts";
import { baselineDifferences, checkBaseline } from "./baseline.ts";
import type { NamedFlip } from "../terminal/flips-text.ts";
import { flipsText } from "../terminal/flips-text.ts";
import { checkWritable } from "../arguments/check-writable.ts";
import type { Example } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { CollectionMeans } from "../../metric/index.ts";
import { labelOf } from "../../trainset/index.ts";
import { drawExamples, drawnText } from "./draw-examples.ts";
import type { EvalGiven } from "./eval-arguments.ts";
import type { EvaluationFile } from "./evaluation-file.ts";
import { evaluationSummary, readEvaluation, writeEvaluation } from "./evaluation-file.ts";
import { comparisonLines, evaluationText } from "./evaluation-text.ts";
import { exitCodes } from "../arguments/exit-code.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { jsonPath, keepArtifact } from "../artifact/keep-artifact.ts";
import { trackedEvaluation } from "../tracking/tracked-work.ts";
import { chooseStudy } from "../load/choose-study.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { recordedModules } from "../load/recorded-modules.ts";
import { checkRunner, countedLm, openRunner } from "../workers/open-runner.ts";
import { queueText } from "../packages/workers-package.ts";
import { duration, progressLine, tokensText } from "../terminal/progress-line.ts";
import { joinLines, print, printToStderr } from "../terminal/terminal.ts";

/** Evaluates, prints the result and writes the requested files. */
export async function runEvaluation(given: EvalGiven): Promise<void> {
  const seed = wholeNumber("seed", given.seed, 0);
  checkRunner(given);
  const modules = given.redis === undefined ? undefined : recordedModules();
  const servers = await runServers(given, { roles: ["judge"] });
  const declared = await chooseStudy(given.study, {
    trainset: given.trainset,
    parts: servers.parts,
    mlflow: given.mlflow,
  });
  const { program } = declared;
  const candidate = await withCandidate(program, given.candidate, given.mlflow);
  const study = { ...declared, program: candidate };
  const artifactPath = jsonPath(given.artifact);
  const { examples, drawn } = drawExamples(study.trainset, { ...given, seed });
  // Everything that could fail at the end is checked before any cost is incurred.
  const reportByCollection =
    given.collections === undefined ? undefined : collectionMeans(given.collections, examples);
  const baseline = given.baseline === undefined ? undefined : await readEvaluation(given.baseline);
  if (baseline !== undefined) checkBaseline(baseline, study, examples);
  await checkWritable("out", given.out);
  await checkWritable("artifact", artifactPath, { isShared: true });

  await using opened = await openLms(servers, given, { programs: [study.program] });
  announceParts(opened);
  await using runner = await openRunner(given, { study: declared, modules, opened });
  runner?.finish();
  using interrupt = abortOnInterrupt();
  using progress = progressLine(`${study.name} on ${given.split}`, () => {
    const { promptTokens, completionTokens } = opened.report().ledger.total.logical;
    return tokensText(promptTokens + completionTokens);
  });
  const { split } = given;
  await using tracking = await trackedEvaluation(given, { study, opened, seed });
  const { lm, lms, judgeLm } = opened;
  const asked = { lm, lms, ...(judgeLm && { judgeLm }) };
  const running = evaluate({
    program: study.program,
    examples,
    metric: study.objective,
    ...(runner === undefined ? asked : askedElsewhere(opened, servers.costs)),
    ...(runner && { runner, spending: uncapped }),
    concurrency: opened.concurrency,
    stopsOnAbsence: true,
    allowsSideEffects: given["allow-side-effects"],
    seed,
    signal: interrupt.signal,
    onEvent: (event) => {
      showFirstReplies(event);
      progress.onEvent(event);
      tracking.onEvent(event);
    },
  });
  const { name, version, checksum } = study.trainset;
  const about = () => ({
    study: study.name,
    trainset: { name, version, checksum },
    split,
    drawn,
    ...opened.report(),
    ...(runner && { workers: { ...runner.counts } }),
  });
  const evaluation = await running.catch((error: unknown) => {
    if (EvaluationStopped.isInstance(error)) printStopped(error, about());
    throw error;
  });
  tracking.finish(evaluation);
  progress[Symbol.dispose]();
  const file: EvaluationFile = { ...about(), ...tracking.named, evaluation };
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

/** Shown as they come. */
const firstRows = 3;

/** Prints the first replies on standard error, with their scores and the time left. */
function showFirstReplies(event: EvaluationEvent): void {
  if (event.kind !== "example-end" || event.done > firstRows) return;
  const { done, total, etaMs, row } = event;
  const { exampleId, latencyMs, output, failure, score } = row;
  const said =
    output === undefined ? `${failure?.code}: ${failure?.message}` : JSON.stringify(output);
  const value = score.kind === "scored" ? score.value.toFixed(4) : score.kind;
  const left = etaMs === null || done === total ? "" : `; ${duration(etaMs)} left`;
  printToStderr(
    `${oneLine(exampleId)}, ${(latencyMs / 1000).toFixed(1)} s: ${excerpt(oneLine(said), 100)}, ${value}${left}`,
  );
}

type Asked = Pick<OpenedLms, "lm" | "lms" | "judgeLm">;

/** LMs that workers ask: here their calls are counted. */
function askedElsewhere({ lm, lms, judgeLm }: Asked, costs: Ledger): Asked {
  return {
    lm: countedLm(lm, costs),
    lms: mapValues(lms, (each) => countedLm(each, costs)),
    ...(judgeLm && { judgeLm: countedLm(judgeLm, costs) }),
  };
}

/** Prints the comparison and the JSON line, after the result was printed and saved. */
function conclude(
  file: EvaluationFile,
  opened: OpenedLms,
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
      const flipped = flipsBetween(baseline.evaluation, file.evaluation);
      print(joinLines(["", ...comparisonLines(comparison, study.objective.name)]));
      if (flipped.length > 0)
        print(["examples whose score changed", ...flipsText(flipped, 10)].join("\n"));
      if (differs.length > 0) print(`The baseline used ${differs.join("; ")}.`);
      compared = { comparison, flips: flipped, baselineDiffers: differs };
    }
  } finally {
    const { warning } = mockLabel(file.mocks);
    if (warning !== "") print(warning);
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

/** Tells what a stopped evaluation did and spent. */
function printStopped(
  { rows, total }: EvaluationStopped,
  { ledger, drawn, split, workers }: Omit<EvaluationFile, "evaluation">,
): void {
  const { logical, billed } = ledger.total;
  const how = drawnText(drawn);
  const taken = how === "" ? "" : ` (of ${drawn.of} in ${split}, ${how})`;
  printToStderr(
    `Stopped after ${rows.length} of ${total} examples${taken}; ${logical.calls} LM calls, ${billed.calls} of them sent to the server.`,
  );
  if (workers !== undefined) printToStderr(queueText(workers));
}

/** The examples that flipped, those that changed most first. */
function flipsBetween(baseline: Evaluation, other: Evaluation): readonly NamedFlip[] {
  return changedScores(scoresByExample(baseline), scoresByExample(other)).map(
    ({ key, ...values }) => ({ exampleId: key, ...values }),
  );
}

/** Each figure by collection, as text and for the JSON line. */
interface CollectionReport {
  readonly text: string;
  readonly figures: Readonly<Record<string, CollectionMeans>>;
}

/**
 * Reports an evaluation by collection; a label of each example names its collection, or lists
 * several.
 *
 * @throws EspalierError `usage-invalid` immediately, if an example lacks the label
 */
function collectionMeans(
  label: string,
  examples: readonly Example[],
): (evaluation: Evaluation) => CollectionReport {
  const collections = new Map(examples.map((one) => [one.id, collectionIn(one, label)]));
  return (evaluation) => {
    const figures = byCollection(evaluation, examples, ({ id }) => collections.get(id) ?? []);
    return { figures, text: joinLines(Object.entries(figures).flatMap(linesOf)) };
  };
}

function collectionIn(example: Example, label: string): readonly string[] {
  const collection = labelOf(example, label);
  const named: readonly unknown[] = Array.isArray(collection) ? collection : [collection];
  if (named.every((each) => typeof each === "string")) return [...new Set(named)];
  const { id, labels } = example;
  const names = typeof labels === "object" && labels !== null ? Object.keys(labels) : [];
  throw new EspalierError({
    code: "usage-invalid",
    problem: `An example has no text label "${label}" for its collection`,
    expected: "a label that holds text, or a list of texts",
    got: `labels ${names.join(", ") || "of another kind"}`,
    where: `example ${id}`,
    fix: "Name another label with --collections, or omit the option",
  });
}

function linesOf([name, { collections, all, plain }]: readonly [
  string,
  CollectionMeans,
]): string[] {
  if (all === null || plain === null) return [`${name}: no collection was scored`];
  return [
    `${name} by collection:`,
    ...collections.map(
      ({ collection, mean, judged, predictions }) =>
        `  ${collection}  ${mean.toFixed(5)}  (${judged} of ${predictions} scored)`,
    ),
    `  all  ${all.toFixed(5)}  (mean weighted by predictions, as in MTRAG's script; plain mean ${plain.toFixed(5)})`,
  ];
}
