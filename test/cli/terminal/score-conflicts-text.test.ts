import { expect, it } from "vitest";
import { scoreConflictsText } from "../../../src/cli/terminal/search-text.ts";

const dispute = { exampleId: "v3", reused: 0.5, again: null, repeated: [], iteration: 7 };

it("what a run met of scores that disagree is told in a line each, the first time it was met", () => {
  expect(scoreConflictsText(undefined)).toEqual([]);
  expect(scoreConflictsText([])).toEqual([]);
  expect(
    scoreConflictsText([
      { ...dispute, kind: "score-reuse-kept", again: 0.43 },
      { ...dispute, kind: "score-reuse-kept", again: 0.47 },
      { ...dispute, kind: "score-reuse-ended" },
    ]),
  ).toMatchInlineSnapshot(`
    [
      "scores vary from run to run: \`v3\` had 0.5000, and 0.4300 when run again; a claim may need more examples or repetitions",
      "some scores were reused wrongly: \`v3\` had 0.5000, and no score when run again. A text affects runs whose traces do not show it; from iteration 7 every candidate was run in full, and the best was run again if the budget allowed. Val scores of other candidates accepted earlier may be wrong; test is not affected",
    ]
  `);
});
