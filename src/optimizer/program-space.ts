import type { Component } from "../contract/index.ts";
import type { TunableProgram } from "../program/index.ts";
import type { OptimizerTask } from "./optimizer.ts";
import type { SearchSpace } from "./search-space.ts";

/** The search over a program's components, on the examples of its trainset. */
export function programSpace<TInput, TOutput, TLabels>({
  program,
  trainset: { splits },
}: OptimizerTask<TInput, TOutput, TLabels>): SearchSpace {
  return {
    name: program.name,
    components: program.components(),
    train: splits.train.map(({ id }) => id),
    val: splits.val.map(({ id }) => id),
    describe: (component) => describePlace(program, component),
  };
}

/** What the reflection LM is told of a component's place in the program, without a word on the data. */
function describePlace<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  { kind, path }: Component,
): string {
  const [name = "", field] = path.split(".");
  const steps = Object.keys(program.predictors);
  const signature = program.predictors[name]?.signature;
  const listedFields = (side: "input" | "output"): string =>
    (signature?.fields[side] ?? [])
      .map(({ name, description }) => (description === "" ? name : `${name} (${description})`))
      .join(", ");
  return [
    `The step \`${name}\` of the program \`${program.name}\` takes ${listedFields("input")} and writes ${listedFields("output")}.`,
    ...(kind === "fieldDescription"
      ? [`What is to be improved is the description of its field \`${field ?? ""}\`.`]
      : []),
    steps.length === 1
      ? "It is the only step."
      : `The steps of the program are ${steps.map((step) => `\`${step}\``).join(", ")}; this instruction steers \`${name}\` alone.`,
  ].join("\n");
}
