import { expect, test } from "vitest";
import { studyText } from "../../../src/cli/show/describe-study.ts";
import { branchStudy } from "../../optimizer/parameter-search/support/branches.ts";

test("a study says the range of each parameter, and when it matters", () => {
  const [, parameters] = studyText(branchStudy).split("parameters\n");
  expect(parameters?.trimEnd().split("\n")).toEqual([
    "  k = 2  int from 1 to 20",
    "  search = lexical  one of lexical, dense, both",
    "  b = 0.1  real from 0 to 1, matters when search is lexical",
    "  probes = 1  int from 1 to 256, log scale, matters when search is dense",
    "  weight = 0.9  real from 0 to 1, matters when search is both",
  ]);
});
