import { EspalierError } from "../../errors/index.ts";
import type { OptimizerTask } from "../task/optimizer-task.ts";

/**
 * Throws `study-invalid` for gold of an example of train that does not fit its predictor's fields:
 * found in mid-search, it would have cost all that was spent before.
 */
export function checkGold<TInput, TOutput, TLabels>({
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
        where: `example "${example.id}" of train`,
        expected: "null, `{ inputs }` with some of its inputs, or `{ outputs }` with all outputs",
        fix: "Correct `gold` in the study, or return null for examples whose labels do not say.",
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
