import type { JsonObject } from "../../../contract/index.ts";
import { isObject } from "../../../internal/index.ts";
import type { PredictorDemonstration } from "../../demonstrations/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { ReflectiveCase } from "../../gepa/lesson/reflective-cases.ts";
import type { SearchSpace } from "../../task/search-space.ts";

const bare = { path: "", score: null, rawText: null, after: "", wiring: { from: {}, to: {} } };

/** An example of train as a case: its input and, if it was run, what the program made of it. */
export function exampleAsCase(
  { inputOf }: SearchSpace,
  exampleId: string,
  rollout: Rollout | undefined,
): ReflectiveCase {
  const input = inputOf?.(exampleId) ?? rollout?.lesson?.steps[0]?.inputs;
  const inputs = isObject(input) ? (input as JsonObject) : {};
  const { output, feedback, blame = [], failure } = rollout?.lesson ?? {};
  const comments = [
    ...(rollout?.score.kind === "scored" ? [`Score ${rollout.score.value}.`] : []),
    ...(feedback === undefined ? [] : [feedback]),
    ...blame.map(({ path, text }) => `On \`${path}\`: ${text}`),
    ...(failure === undefined ? [] : [`The run failed: ${failure.message}`]),
  ];
  return {
    ...bare,
    exampleId,
    inputs,
    outputs: output === undefined ? {} : { output },
    feedback: comments.join("\n"),
  };
}

export function demonstrationAsCase({ demonstration }: PredictorDemonstration): ReflectiveCase {
  const { exampleId, inputs, outputs } = demonstration;
  return { ...bare, exampleId, inputs, outputs, feedback: "This is how it should be done." };
}
