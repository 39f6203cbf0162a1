import { compare, evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { expect, test } from "vitest";
import { figuresText, isGain } from "../../../src/cli/terminal/figures-text.ts";
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
  return { metric: name, seed, optimized, comparison: compare(seed, optimized), isClaimable: true };
}

const better = await figure("recall_10", () => 0.75);
const worse = await figure("ndcg_cut_5", () => 0.25);
const lower = await figure("precision", (value) => (value === 0 ? 0.1 : 0.5));

test("a report begins with its verdict, and shows each figure before and after", () => {
  expect(figuresText([better, worse, lower])).toEqual([
    "verdict: a gain and a loss: on recall_10, the result is better than the program it started from; worse on ndcg_cut_5",
    "            before   after                                    difference",
    "recall_10   0.5000  0.7500    +0.2500  [0.2500, 0.2500] 95 %, p = 0.0001  better than before",
    "ndcg_cut_5  0.5000  0.2500  -0.2500  [-0.2500, -0.2500] 95 %, p = 0.0001  worse than before",
    "precision   0.5000  0.4900   -0.0100  [-0.0600, 0.0000] 95 %, p = 1.0000  not shown to differ from before",
  ]);
});

test.each([
  ["a gain", [better, lower], true],
  ["a gain and a loss", [better, worse], false],
  ["a loss", [worse, better], false],
  ["no gain is shown", [lower, better], false],
  ["no gain is shown", [{ ...better, isClaimable: false }], false],
])("%s is called so, and only a plain gain is one", (said, figures, isPlain) => {
  expect(figuresText(figures)[0]?.startsWith(`verdict: ${said}: `)).toBe(true);
  expect(isGain(figures)).toBe(isPlain);
});
