import { compare, evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { expect, test } from "vitest";
import { fallText } from "../../../src/cli/optimize/optimization-text.ts";
import type { Held } from "../../evaluate/programs.ts";
import { echo, unusedLm } from "../../evaluate/programs.ts";

const examples = Array.from({ length: 40 }, (_, value) => ({
  id: `e${value}`,
  cluster: `c${value}`,
  input: { value },
  labels: {},
}));

async function figure(name: string, scoreOf: (value: number) => number) {
  const evaluated = (of: (value: number) => number) =>
    evaluate({
      program: echo(),
      examples,
      metric: metric<Held, Held, object>({
        name,
        version: "1",
        score: ({ output }) => scored(of(output.value)),
      }),
      lm: unusedLm,
    });
  const [seed, optimized] = [await evaluated(() => 0.5), await evaluated(scoreOf)];
  return { metric: name, seed, optimized, comparison: compare(seed, optimized) };
}

test("every figure that fell is named, with whether the fall is shown", async () => {
  const figures = [
    await figure("recall_10", () => 0.75),
    await figure("ndcg_cut_5", () => 0.25),
    await figure("precision", (value) => (value === 0 ? 0.1 : 0.5)),
  ];
  expect(fallText(figures)).toEqual([
    "what fell: ndcg_cut_5, -0.2500  [-0.2500, -0.2500] 95 %, p = 0.0001: worse than the seed",
    "what fell: precision, -0.0100  [-0.0600, 0.0000] 95 %, p = 1.0000: not shown to differ from the seed",
  ]);
});
