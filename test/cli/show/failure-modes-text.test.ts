import { expect, it } from "vitest";
import { failureModesText } from "../../../src/cli/show/failure-modes-text.ts";

it("prints each mode with its share of the failures shown, and why there are none", () => {
  const late = { name: "Late", description: "It comes too late.", exampleIds: ["a", "b"] };
  const named = { iteration: 1, candidate: 0, failures: 8, modes: [late] };
  const failed = { iteration: 5, candidate: 2, failures: 7, modes: [], detail: "No reply." };
  expect(failureModesText([named, failed])).toEqual([
    "failure modes of candidate 0, named in iteration 1",
    "  2 of 8  Late: It comes too late.",
    "failure modes of candidate 2, named in iteration 5: none. No reply.",
  ]);
});
