import { expect, it } from "vitest";
import { creditsText } from "../../../src/cli/terminal/search-text.ts";

const credit = { predictor: "answer", gain: 0.025, low: 0.02, high: 0.07, runs: 40 };

it("lists what demonstrations bring, the most first, and counts those that cannot be distinguished from 0", () => {
  expect(
    creditsText([
      { ...credit, exampleId: "e1", gain: -0.0105, low: -0.03, high: -0.01 },
      { ...credit, exampleId: "e3", low: -0.02 },
      { ...credit, exampleId: "e2" },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "what each demonstration brings, with its 95 % interval: by a regression over all runs, with and without it, whatever else differed between them",
      "  +0.0250  [+0.0200, +0.0700]  answer: e2  (40 runs)",
      "  -0.0105  [-0.0300, -0.0100]  answer: e1  (40 runs)",
      "  1 of 3 cannot be distinguished from 0",
    ]
  `);
});

it("says nothing where nothing was estimated", () => {
  expect(creditsText()).toEqual([]);
});
