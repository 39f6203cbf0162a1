import type { JsonObject } from "../../../contract/index.ts";
import { isObject, withImageStandIns } from "../../../internal/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { ReflectiveCase } from "../../proposal/case/reflective-cases.ts";

/** What a case lacks that stands for no call of a predictor. */
export const bareCase: Pick<ReflectiveCase, "path" | "score" | "rawText" | "after" | "wiring"> = {
  path: "",
  score: null,
  rawText: null,
  after: "",
  wiring: { from: {}, to: {} },
};

/** An example of train as a case: its input and, if it was run, what the program made of it. */
export function exampleAsCase(
  { inputOf }: SearchSpace,
  exampleId: string,
  rollout: Rollout | undefined,
): ReflectiveCase {
  const input = inputOf?.(exampleId) ?? rollout?.lesson?.steps[0]?.inputs;
  const inputs = isObject(input) ? (withImageStandIns(input) as JsonObject) : {};
  const { output, feedback, blame = [], failure } = rollout?.lesson ?? {};
  const comments = [
    ...(rollout?.score.kind === "scored" ? [`Score ${rollout.score.value}.`] : []),
    ...(feedback === undefined ? [] : [feedback]),
    ...blame.map(({ path, text }) => `On \`${path}\`: ${text}`),
    ...(failure === undefined ? [] : [`The run failed: ${failure.message}`]),
  ];
  return {
    ...bareCase,
    exampleId,
    inputs,
    outputs: output === undefined ? {} : { output },
    feedback: comments.join("\n"),
  };
}
