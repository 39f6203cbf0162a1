import { expect, it } from "vitest";
import { creditsText } from "../../../src/cli/terminal/credits-text.ts";

it("lists what demonstrations bring, the most first, with interval and number of runs", () => {
  const credit = { predictor: "answer", low: -0.02, high: 0.07, runs: 40 };
  expect(
    creditsText([
      { ...credit, exampleId: "e1", gain: -0.0105, low: -0.03 },
      { ...credit, exampleId: "e2", gain: 0.025 },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "what each demonstration brings on val: an estimate over all sets that showed it, with its 95 % interval",
      "  +0.0250  [-0.0200, +0.0700]  answer: e2  (40 runs)",
      "  -0.0105  [-0.0300, +0.0700]  answer: e1  (40 runs)",
    ]
  `);
});

it("says nothing where nothing was estimated", () => {
  expect(creditsText()).toEqual([]);
});
