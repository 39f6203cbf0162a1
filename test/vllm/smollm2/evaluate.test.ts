import { evaluate } from "espalier/evaluate";
import { expect } from "vitest";
import declareStudy from "../../../optimizers/question-types.ts";
import { lmAt } from "../support/ask.ts";
import { rightShelf, shelfExamples, sorter } from "../support/shelves.ts";
import { test } from "../support/vllm-test.ts";

test("examples are scored on a server with default options", async ({ smollm2 }) => {
  await using lm = lmAt(smollm2, { concurrency: 32 });
  const { counts } = await evaluate({
    program: sorter,
    examples: shelfExamples(32),
    metric: rightShelf,
    lm,
    concurrency: 32,
    resamples: 0,
  });
  expect(counts).toEqual({ scored: 32, notApplicable: 0, unscored: 0, formatFailures: 0 });
});

test("a model that was shown ten labelled questions tells more types of questions right", async ({
  smollm2,
  skip,
}) => {
  skip(!smollm2.isTrained, "no trained weights");
  await using lm = lmAt(smollm2, { concurrency: 16 });
  const { program, trainset, objective } = await declareStudy();
  const { train, val } = trainset.splits;
  const shown = [0, 1].flatMap((round) =>
    ["person", "place", "time", "number", "reason"].map(
      (type) => train.filter(({ labels }) => labels.type === type)[round]!,
    ),
  );
  const value = shown.map(({ id, input, labels }) => ({
    exampleId: id,
    inputs: input,
    outputs: labels,
  }));
  const scoreOf = async (evaluated: typeof program): Promise<number> => {
    const { value: score, counts } = await evaluate({
      program: evaluated,
      examples: val,
      metric: objective,
      lm,
      concurrency: 16,
      resamples: 0,
    });
    expect(counts).toMatchObject({ scored: 60, formatFailures: 0 });
    return score!;
  };
  const declared = await scoreOf(program);
  const demonstrated = await scoreOf(program.with([{ kind: "demos", path: "classify", value }]));
  expect(demonstrated).toBeGreaterThan(declared + 0.1);
});
