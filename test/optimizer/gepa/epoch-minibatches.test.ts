import { describe, expect, it } from "vitest";
import type { MinibatchSampling } from "espalier/optimizer";
import { optimizeTexts, sameParent } from "espalier/optimizer";
import { epochMinibatches } from "../../conformance/reference/index.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { candidateOf, searchView } from "./support/search-view.ts";
import { gepaWith } from "../support/gepa-with.ts";

const counts = Array.from({ length: 40 }, (_, index) => index + 1);

describe("behaviour 11: epochMinibatches", () => {
  it("shows every id once in an epoch, in minibatches of full size without repeats", () => {
    for (const count of counts) {
      for (const size of [1, 2, 3, 7, 10].filter((size) => size <= count)) {
        const ids = idsOf(count);
        const perEpoch = Math.ceil(count / size);
        for (const epoch of [0, 1, 2]) {
          const batches = Array.from({ length: perEpoch }, (_, index) =>
            minibatch(ids, { size, iteration: epoch * perEpoch + index + 1 }),
          );
          for (const batch of batches) {
            expect(batch).toHaveLength(size);
            expect(new Set(batch).size).toBe(size);
          }
          expect(new Set(batches.flat())).toEqual(new Set(ids));
        }
      }
    }
  });

  it("fills the last minibatch up with the ids before it, latest first", () => {
    const ids = idsOf(8);
    const [first = [], second = [], third = []] = [1, 2, 3].map((iteration) =>
      minibatch(ids, { size: 3, iteration }),
    );
    expect(third.slice(0, 2)).toEqual(
      ids
        .filter((id) => ![...first, ...second].includes(id))
        .toSorted((one, other) => third.indexOf(one) - third.indexOf(other)),
    );
    expect(third[2]).toBe(second[2]);
  });

  it("takes all of train, once, where train is smaller than a minibatch", () => {
    expect(minibatch(["a", "b"], { size: 5, iteration: 4 }).toSorted()).toEqual(["a", "b"]);
  });

  it("shuffles each epoch anew", () => {
    const ids = idsOf(12);
    const epochOf = (first: number): string =>
      [0, 1, 2, 3].flatMap((index) => minibatch(ids, { size: 3, iteration: first + index })).join();
    expect(new Set([epochOf(1), epochOf(5), epochOf(9)]).size).toBe(3);
  });

  it("depends on nothing but iteration and place, so that a skipped one moves no other", () => {
    const ids = idsOf(10);
    const late = minibatch(ids, { size: 3, iteration: 7 });
    for (const iteration of [1, 2, 3]) minibatch(ids, { size: 3, iteration });
    expect(minibatch(ids, { size: 3, iteration: 7 })).toEqual(late);
    expect(minibatch(ids, { size: 3, iteration: 5, index: 2 })).toEqual(late);
  });

  it("gives the proposals of one iteration chunks that follow one another", () => {
    const chunks = [0, 1, 2, 3].map((index) =>
      minibatch(idsOf(12), { size: 3, iteration: 1, index }),
    );
    expect(new Set(chunks.flat())).toEqual(new Set(idsOf(12)));
  });

  it("shows a run every example of train in each of its epochs", async () => {
    const { task } = keywordTask({ train: 12 });
    const shown: string[][] = [];
    await optimizeTexts(task, {
      optimizer: gepaWith({
        minibatch: noting(epochMinibatches({ size: 3 }), shown),
        proposer: directedProposer(),
      }),
      budget: { metricCalls: 300 },
    });
    const epochs = Math.floor(shown.length / 4);
    expect(epochs).toBeGreaterThan(2);
    for (let epoch = 0; epoch < epochs; epoch++) {
      const ids = shown.slice(4 * epoch, 4 * epoch + 4).flat();
      expect(ids.toSorted()).toEqual(Object.keys(task.train).toSorted());
    }
  });

  it("shows the proposals of one iteration of a run different examples", async () => {
    const { task } = keywordTask({ train: 12 });
    const shown: string[][] = [];
    await optimizeTexts(task, {
      optimizer: gepaWith({
        minibatch: noting(epochMinibatches({ size: 3 }), shown),
        proposals: sameParent({ count: 4 }),
        proposer: directedProposer(),
      }),
      budget: { metricCalls: 150 },
    });
    expect(shown.length).toBeGreaterThan(3);
    expect(new Set(shown.slice(0, 4).flat()).size).toBe(12);
  });

  it("has no empty train split to sample from: the run is refused before it", async () => {
    const { task, calls } = keywordTask({ train: 0 });
    const run = async () =>
      optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer() }),
        budget: { metricCalls: 50 },
      });
    expect((await thrownBy(run)).code).toBe("dataset-invalid");
    expect(calls).toEqual([]);
  });
});

function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `id-${index}`);
}

function minibatch(
  train: readonly string[],
  { size, iteration, index = 0 }: { size: number; iteration: number; index?: number },
): readonly string[] {
  const seed = candidateOf(0, { v: 0 });
  const view = searchView({ candidates: [seed], train, iteration });
  return idsIn(epochMinibatches({ size }).next(view, seed, index));
}

function idsIn(next: ReturnType<MinibatchSampling["next"]>): readonly string[] {
  return next === null ? [] : next.exampleIds;
}

function noting(sampling: MinibatchSampling, shown: string[][]): MinibatchSampling {
  return {
    ...sampling,
    next: (...given) => {
      const next = sampling.next(...given);
      shown.push([...idsIn(next)]);
      return next;
    },
  };
}
