import { describe, expect, it } from "vitest";
import { optimizeTexts } from "espalier/optimizer";
import { sampleSize } from "../../../src/optimizer/gepa/val-sample.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** The examples of val that each candidate was run on. */
async function comparedOn(
  metricCalls: number | undefined,
  options: FlatGepaOptions = {},
  task = keywordTask({ train: 12, val: 130, seed: 1 }).task,
): Promise<readonly (readonly string[])[]> {
  const { candidates } = await optimizeTexts(task, {
    optimizer: gepaWith({ proposer: directedProposer(), ...options }),
    budget: metricCalls === undefined ? { reflectionCalls: 4 } : { metricCalls },
  });
  expect(candidates.length).toBeGreaterThan(1);
  for (const { selection } of candidates) {
    const examples = Object.keys(selection.scores).length;
    expect(selection.seen).toBe(examples < 130 ? examples : undefined);
  }
  return candidates.map(({ selection }) => Object.keys(selection.scores));
}

describe("the sample of val", () => {
  it.each([
    [60, 100, 16],
    [60, 200, 16],
    [60, 500, 41],
    [60, 2_000, 60],
    [1_000, 2_000, 100],
    [1_000, Infinity, 100],
    [10, 200, 10],
  ])("has of %i examples, under a cap of %i rollouts, %i", (val, rollouts, size) => {
    expect(sampleSize(val, rollouts)).toBe(size);
  });

  it("is the same for every candidate, and the same again with the same seed", async () => {
    const [first = [], ...others] = await comparedOn(400);
    expect(first).toHaveLength(33);
    for (const other of others) expect(other).toEqual(first);
    expect((await comparedOn(400))[0]).toEqual(first);
    expect((await comparedOn(400, { seed: 1 }))[0]).not.toEqual(first);
  });

  it("is at most 100 without a cap on rollouts, what the option says, or all of val", async () => {
    expect((await comparedOn(undefined))[0]).toHaveLength(100);
    expect((await comparedOn(400, { valSample: 20 }))[0]).toHaveLength(20);
    expect((await comparedOn(1_000, { valSample: null }))[0]).toHaveLength(130);
  });

  it("is all of val where the objective is not a mean over examples", async () => {
    const { task } = keywordTask({ train: 12, val: 130, seed: 1 });
    const lowest = {
      ...task,
      aggregate: (_: string, scored: readonly { readonly value: number }[]) =>
        Math.min(...scored.map(({ value }) => value)) +
        scored.reduce((sum, { value }) => sum + value, 0) / scored.length,
    };
    expect((await comparedOn(1_000, {}, lowest))[0]).toHaveLength(130);
  });
});
