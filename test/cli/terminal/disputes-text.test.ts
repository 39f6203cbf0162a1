import { expect, it } from "vitest";
import { disputesText } from "../../../src/cli/terminal/disputes-text.ts";

const dispute = { exampleId: "v3", inherited: 0.5, again: null, repeated: [], iteration: 7 };

it("what a run met of scores that disagree is told in a line each, the first time it was met", () => {
  expect(disputesText(undefined)).toEqual([]);
  expect(disputesText([])).toEqual([]);
  expect(
    disputesText([
      { ...dispute, kind: "inheritance-kept", again: 0.43 },
      { ...dispute, kind: "inheritance-kept", again: 0.47 },
      { ...dispute, kind: "inheritance-ended" },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "scores vary from run to run: \`v3\` had 0.5000 and, run again, 0.4300; a claim may need more examples, or repetitions",
      "scores were inherited that should not have been: \`v3\` had 0.5000 and, run again, no score. A text has a part in runs that do not tell of it; from iteration 7 on every candidate was run itself, and the best again if there was room. Values on val of others accepted before may be wrong; test is not touched by it",
    ]
  `);
});
