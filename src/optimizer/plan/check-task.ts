import type { Example, SplitName } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { checkInputs } from "../../internal/index.ts";
import type { OptimizerTask } from "../task/program-space.ts";
import type { SearchSpace } from "../task/search-space.ts";
import type { TunableProgram } from "../../program/index.ts";

/**
 * Throws, before anything is spent, for a split without examples, with repeated ids or with none
 * that the objective can score (`dataset-invalid`), for inputs that the program cannot take
 * (`input-invalid`), and for gold that does not fit (`study-invalid`).
 */
export function checkTask<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  { train, val }: Pick<SearchSpace, "train" | "val">,
): void {
  const { program, trainset, objective } = task;
  for (const split of ["train", "val"] as const) {
    checkSplit(program, trainset.splits[split], split, trainset.name);
  }
  for (const [split, { length }] of Object.entries({ train, val })) {
    if (length > 0) continue;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Objective \`${objective.name}\` applies to no example in split \`${split}\` of trainset \`${trainset.name}\``,
      expected: "examples in `train` and in `val` on which it can score an output",
      fix: "Check the labels of the examples, or use another objective.",
    });
  }
  checkGold(task);
}

function checkSplit<TInput, TLabels>(
  program: OptimizerTask<TInput>["program"],
  examples: readonly Example<TInput, TLabels>[],
  split: SplitName,
  trainset: string,
): void {
  const ids = new Set(examples.map(({ id }) => id));
  if (ids.size !== examples.length || examples.length === 0) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `Split \`${split}\` of trainset \`${trainset}\` cannot be used for optimization`,
      expected: "examples in `train` for feedback and in `val` for selection, with unique ids",
      got: examples.length === 0 ? "no examples" : "repeated ids",
      fix: "Create the trainset with both splits.",
    });
  }
  checkInputs(program, examples, split);
}

/**
 * Throws `study-invalid` for gold of an example of train that does not fit its predictor's fields:
 * found in mid-search, it would have cost all that was spent before.
 */
function checkGold<TInput, TOutput, TLabels>({
  program,
  trainset,
  gold = {},
}: OptimizerTask<TInput, TOutput, TLabels>): void {
  for (const [name, partOf] of Object.entries(gold)) {
    const predictor = program.predictors[name];
    if (predictor === undefined) continue;
    for (const example of trainset.splits.train) {
      const problem = problemOf(partOf(example), predictor);
      if (problem === null) continue;
      throw new EspalierError({
        code: "study-invalid",
        problem: `Gold for predictor \`${name}\` cannot be used: ${problem}`,
        where: `example "${example.id}" in train`,
        expected: "null, `{ inputs }` with some of its inputs, or `{ outputs }` with all outputs",
        fix: "Correct `gold` in the study, or return null for examples whose labels do not give it.",
      });
    }
  }
}

type Predictor = OptimizerTask["program"]["predictors"][string];

/** What is wrong, as a clause; `null` if nothing is. */
function problemOf(part: unknown, predictor: Predictor): string | null {
  if (part === null) return null;
  if (typeof part !== "object") return `got ${typeof part}`;
  const names = Object.keys(part);
  const [name = ""] = names;
  const given = (part as Readonly<Record<string, unknown>>)[name];
  if (names.length === 0) return "got an object without fields";
  if (names.length > 1 || typeof given !== "object" || given === null) {
    return `got fields ${names.join(", ")}`;
  }
  if (name === "inputs") return unknownField(given, predictor.signature.input, "inputs");
  if (name === "outputs") return outputProblem({ ...given }, predictor);
  return `got field ${name}`;
}

function unknownField(given: object, fields: object, side: string): string | null {
  const unknown = Object.keys(given).find((field) => !(field in fields));
  if (unknown === undefined) return null;
  return `\`${unknown}\` is not among its ${side} ${Object.keys(fields).join(", ")}`;
}

function outputProblem(
  given: Readonly<Record<string, unknown>>,
  predictor: Predictor,
): string | null {
  const { output } = predictor.signature;
  const unknown = unknownField(given, output, "outputs");
  if (unknown !== null) return unknown;
  for (const field of Object.keys(output)) {
    if (field === "reasoning" && !(field in given)) continue;
    const problem = predictor.fieldProblem(field, given[field]);
    if (problem !== null) return `\`${field}\`: ${problem}`;
  }
  return null;
}

/**
 * Throws `tool-not-allowed` before anything is spent if an agent of the program has a tool that the
 * search may not run.
 */
export function checkTools(
  { name: program, predictors }: Pick<TunableProgram, "name" | "predictors">,
  allowsSideEffects: boolean,
): void {
  if (allowsSideEffects) return;
  for (const [predictor, { driver }] of Object.entries(predictors)) {
    const refused = driver.tools?.find((tool) => tool.hasSideEffects && !tool.doMock);
    if (refused === undefined) continue;
    throw new EspalierError({
      code: "tool-not-allowed",
      problem: `The tool \`${refused.name}\` has side effects, which a search does not allow`,
      where: `predictor \`${predictor}\` of program \`${program}\``,
      expected: "tools that change nothing, or have a `mock`",
      fix: "Give the tool a `mock` for searches, or allow it: `allowsSideEffects: true`, on the command line --allow-side-effects.",
    });
  }
}
