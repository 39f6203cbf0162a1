import { describe, expect, it, test } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import { autoSearch, bootstrapFewShot, optimize, planOptimization } from "espalier/optimizer";
import { setsThatFit } from "../../../src/optimizer/few-shot/race-sets.ts";
import { questionTypes } from "../support/small-tasks.ts";
import { kindsLm, kindsStudy } from "./support/kinds.ts";

const study = await questionTypes();
const budget = { metricCalls: 2000 };
const valSize = study.trainset.splits.val.length;

describe("examples whose labels tell all", () => {
  it("are not run for their demonstrations", () => {
    const { calls } = planOptimization(study, {
      optimizer: bootstrapFewShot({ trials: 8 }),
      budget,
    });
    // The seed, and a race of eight sets: a quarter, half and all of val.
    expect(calls?.student).toBe(valSize + valSize * (2 + 1 + 1));
  });

  test.each([
    ["a teacher", { teacher: { lm: rehearsalLm() } }],
    ["no labels to be shown", { maxLabelled: 0 }],
  ])("are run where there are %s", (_, options) => {
    const optimizer = bootstrapFewShot({ trials: 8, ...options });
    const { student = 0, teacher = 0 } = planOptimization(study, { optimizer, budget }).calls ?? {};
    expect(student + teacher).toBeGreaterThan(5 * valSize);
  });

  it("leave to texts what their race does not need, in the plan of autoSearch(), too", () => {
    const { calls, warnings } = planOptimization(study, { optimizer: autoSearch(), budget });
    expect(calls?.reflection).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });
});

test.each([
  [{}, { by: "words", k: [8, 4] }],
  [
    { maxBootstrapped: 1, maxLabelled: 2 },
    { by: "words", k: [2] },
  ],
  [
    { maxBootstrapped: 5, maxLabelled: 0 },
    { by: "words", k: [5, 4] },
  ],
  [{ nearest: null }, null],
])("with %j, calls are shown the nearest by %j", (options, nearest) => {
  expect(bootstrapFewShot(options).settings).toMatchObject({ nearest });
});

test.each([
  [240, 8],
  [239, 7],
  [74, 1],
  [59, 0],
])("%i rollouts race %i sets on 60 examples to the end", (left, sets) => {
  expect(setsThatFit(left, 8, 60)).toBe(sets);
});

it("compares sets on as much of val as leaves room for a race of four", async () => {
  for (const metricCalls of [48, 54, 160]) {
    const { candidates, rejections } = await optimize(kindsStudy, {
      optimizer: bootstrapFewShot({ trials: 12 }),
      budget: { metricCalls },
      lm: kindsLm,
    });
    const judged = candidates.map(({ selection }) => Object.keys(selection.scores).length);
    const panel = Math.min(20, Math.max(16, Math.floor(metricCalls / 3)));
    expect(new Set(judged)).toEqual(new Set([panel]));
    expect(candidates.length + rejections.length).toBeGreaterThan(1);
  }
});
