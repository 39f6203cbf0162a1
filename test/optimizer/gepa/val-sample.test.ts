import { notApplicable } from "espalier/metric";
import { placeStudy } from "../support/place-search.ts";
import { runPlaces } from "../support/run-places.ts";
import { describe, expect, it } from "vitest";
import { optimizeTexts } from "espalier/optimizer";
import { sampleSize } from "../../../src/optimizer/task/val-sample.ts";
import { sampleOf } from "../../../src/optimizer/task/val-sample.ts";
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

describe("behaviour 20: the sample of val that candidates are compared on", () => {
  it.each([
    [60, 100, 16],
    [60, 200, 16],
    [60, 500, 41],
    [60, 2_000, 60],
    [1_000, 2_000, 100],
    [1_000, Infinity, 100],
    [10, 200, 10],
  ])("has of %i examples, under a cap of %i rollouts, %i", (val, rollouts, size) => {
    const ids = Array.from({ length: val }, (_, index) => `v${index}`);
    expect(sampleSize({ val: ids }, undefined, rollouts)).toBe(size);
    expect(sampleSize({ val: ids, isMean: false }, 5, rollouts)).toBe(val);
  });

  it("holds, if it is larger, all of a smaller one of the same seed", () => {
    const val = Array.from({ length: 60 }, (_, index) => `v${index}`);
    const [small, large] = [sampleOf(val, 16, 3), sampleOf(val, 35, 3)];
    expect(new Set(small).isSubsetOf(new Set(large))).toBe(true);
    expect(large).toEqual(val.filter((id) => large.includes(id)));
    expect(sampleOf(val, 16, 4)).not.toEqual(small);
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

  it("is what the plan counts with, whatever the objective", () => {
    const { task } = keywordTask({ train: 12, val: 130, seed: 1 });
    const optimizer = gepaWith({ proposer: directedProposer() });
    const space = {
      name: "t",
      components: [],
      train: [],
      val: Object.keys(task.val),
      describe: String,
    };
    const components = [{ kind: "instruction" as const, path: "first", value: "Go." }];
    const seedEvaluation = (isMean: boolean): number =>
      optimizer.doPlan({ ...space, components, isMean }, { metricCalls: 400 }).seedEvaluation;
    expect([seedEvaluation(true), seedEvaluation(false)]).toEqual([33, 130]);
  });

  it("is doubled where the metric applies to fewer than eight of its examples", async () => {
    const { val } = placeStudy.trainset.splits;
    const sampled = async (applying: number) => {
      const without = new Set(val.slice(applying).map(({ id }) => id));
      const objective = {
        ...placeStudy.objective,
        doScore: async (given: Parameters<typeof placeStudy.objective.doScore>[0]) =>
          without.has(given.example.id)
            ? notApplicable("None.")
            : placeStudy.objective.doScore(given),
      };
      const optimizer = gepaWith({ valSample: 3 });
      const { result } = await runPlaces(
        { optimizer, budget: { metricCalls: 100 } },
        {
          ...placeStudy,
          objective,
        },
      );
      return Object.values(result.candidates[0]?.selection.scores ?? {});
    };
    expect(await sampled(val.length)).toHaveLength(3);
    const few = await sampled(10);
    expect(few.length).toBe(12);
    expect(few.filter((score) => score !== null).length).toBeGreaterThan(7);
    expect(await sampled(2)).toHaveLength(val.length);
  });

  it("leaves room for every child whose texts were paid for, where train selects", async () => {
    for (const seed of [1, 2, 3]) {
      const { task } = keywordTask({ train: 200, sharesSplits: true, seed });
      const { rejections } = await optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer() }),
        budget: { metricCalls: 400 },
      });
      expect(rejections.filter(({ detail }) => detail.includes("does not fit"))).toEqual([]);
    }
  });
});
