import { defineCommand } from "citty";
import type { SplitName } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { compare, evaluate, EvaluationStopped } from "../evaluate/index.ts";
import type { Study } from "../study/index.ts";
import type { AnyCommand } from "./arguments.ts";
import { lmArguments, refuseUnknown, wholeNumber } from "./arguments.ts";
import { withCandidate } from "./candidate-file.ts";
import type { EvaluationFile } from "./evaluation-file.ts";
import { evaluationSummary, readEvaluation, writeEvaluation } from "./evaluation-file.ts";
import { comparisonText, evaluationText } from "./evaluation-text.ts";
import { exitCodes } from "./exit-code.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import { jsonPath, keepArtifact } from "./keep-artifact.ts";
import { loadStudy } from "./load-study.ts";
import type { OpenedLm } from "./open-lm.ts";
import { openLm } from "./open-lm.ts";
import { progressLine } from "./progress-line.ts";

const args = {
  study: {
    type: "positional",
    description: "File that default-exports a study",
    valueHint: "STUDY",
    required: true,
  },
  split: {
    type: "enum",
    description: "Examples to evaluate on",
    options: ["train", "val", "test"] as SplitName[],
    default: "val",
  },
  limit: { type: "string", description: "Only the first N examples", valueHint: "N" },
  out: { type: "string", description: "Write the whole result to this file", valueHint: "FILE" },
  baseline: {
    type: "string",
    description: "Compare, paired by example, with a result written by --out",
    valueHint: "FILE",
  },
  artifact: {
    type: "string",
    description: "Write the evaluated program, with its score, as an artifact",
    valueHint: "FILE",
  },
  ...lmArguments,
} as const;

/** `espalier eval`: a study's program on one split of its trainset. */
export const evalSubcommand: AnyCommand = defineCommand({
  meta: { name: "eval", description: "Evaluate a study's program and list its failures" },
  args,
  run: async ({ args: given, rawArgs }) => {
    refuseUnknown(rawArgs, args);
    const seed = wholeNumber("seed", given.seed, 0);
    const declared = await loadStudy(given.study);
    const study = { ...declared, program: await withCandidate(declared.program, given.candidate) };
    const artifactPath = jsonPath(given.artifact);
    const examples = examplesOf(study, given.split, given.limit);
    // Read before anything is spent.
    const baseline =
      given.baseline === undefined ? undefined : await readEvaluation(given.baseline);

    await using opened = await openLm(given);
    using interrupt = abortOnInterrupt();
    using progress = progressLine(`${study.name} on ${given.split}`);
    const { split } = given;
    const running = evaluate({
      program: study.program,
      examples,
      metric: study.objective,
      lm: opened.lm,
      concurrency: opened.concurrency,
      seed,
      signal: interrupt.signal,
      onEvent: progress.onEvent,
    });
    const evaluation = await running.catch((error: unknown) => explainStop(error, opened));
    const file: EvaluationFile = { study: study.name, split, ...opened.report(), evaluation };
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
    print(file, opened, baseline, study, given.json);
    if (!evaluation.isAcceptable) process.exitCode = exitCodes.infrastructure;
  },
});

function examplesOf({ trainset }: Study, split: SplitName, limit: string | undefined) {
  const all = trainset.splits[split];
  const examples = limit === undefined ? all : all.slice(0, wholeNumber("limit", limit, 1));
  if (examples.length > 0) return examples;
  const sizes = Object.entries(trainset.splits).map(([name, { length }]) => `${name} ${length}`);
  throw new EspalierError({
    code: "usage-invalid",
    problem: `The split "${split}" of trainset "${trainset.name}" is empty`,
    got: sizes.join(", "),
    fix: "Choose another with --split",
  });
}

function print(
  file: EvaluationFile,
  opened: OpenedLm,
  baseline: EvaluationFile | undefined,
  { objective, trainset }: Study,
  json: boolean,
): void {
  const { evaluation } = file;
  const aggregate =
    objective.aggregate === undefined
      ? {}
      : { aggregate: { metric: objective, examples: trainset.splits[file.split] } };
  const comparison =
    baseline === undefined ? undefined : compare(baseline.evaluation, evaluation, aggregate);
  console.log(evaluationText(file));
  if (comparison !== undefined) console.log(comparisonText(comparison));
  if (opened.isRehearsal) console.log(opened.warning);
  if (!json) return;
  console.log(
    JSON.stringify({
      ...evaluationSummary(file),
      ...(comparison === undefined ? {} : { comparison }),
    }),
  );
}

/** A stopped evaluation says what it had done and spent before it is reported as an error. */
function explainStop(error: unknown, opened: OpenedLm): never {
  if (EvaluationStopped.isInstance(error)) {
    const { logical, billed } = opened.report().ledger.total;
    console.error(
      `Stopped after ${error.rows.length} of ${error.total} examples; ${logical.calls} LM calls, ${billed.calls} of them sent to the server.`,
    );
  }
  throw error;
}
