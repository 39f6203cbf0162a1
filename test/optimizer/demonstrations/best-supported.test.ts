import { expect, it } from "vitest";
import type { Candidate, Demonstration } from "espalier";
import type { CandidateRecord, OptimizerRun } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import type { Rollout } from "../../../src/optimizer/evaluation/index.ts";
import { summarizeRollouts } from "../../../src/optimizer/evaluation/index.ts";
import { bestSupported } from "../../../src/optimizer/demonstrations/best-supported.ts";
import type { SearchSpace } from "../../../src/optimizer/task/search-space.ts";

const run = {
  random: (stream: string, index: number) => randomSource(0, stream, index),
  summarize: (split: "train" | "val", rollouts: readonly Rollout[]) =>
    summarizeRollouts(rollouts, split),
} as unknown as OptimizerRun;

const own: Demonstration = { exampleId: "own", inputs: { q: "?" }, outputs: { a: "!" } };
const learnt: Demonstration = { exampleId: "t1", inputs: { q: "1?" }, outputs: { a: "1" } };

interface Found {
  readonly shown: readonly Demonstration[];
  /** Of 20 examples of val, how many the candidate gets right: the first. */
  readonly right: number;
  readonly text?: string;
}

/** Id of the candidate that is returned, of the seed and others. */
function returned(all: readonly [Found, ...Found[]], cluster?: string): number {
  const candidates = all.map(({ shown, right, text = "Answer." }, id): CandidateRecord => {
    const components: Candidate = [
      { kind: "instruction", path: "p", value: text },
      { kind: "demos", path: "p", value: shown },
    ];
    const selection = { value: right / 20, scores: {}, coverage: 1 };
    const acceptance = { by: "test", detail: "" };
    const of = { parents: [], iteration: id, changed: [], learntFrom: [], metricCallsBefore: 0 };
    return { id, components, selection, acceptance, ...of };
  });
  const rolloutsOf = (components: Candidate): readonly Rollout[] => {
    const id = candidates.findIndex((candidate) => candidate.components === components);
    return Array.from({ length: 20 }, (_, index) => {
      const value = Number(index < (all[id]?.right ?? 0));
      return { exampleId: `v${index}`, score: { kind: "scored", value } } as unknown as Rollout;
    });
  };
  const space = {
    components: candidates[0]?.components,
    ...(cluster !== undefined && { clusterOf: () => cluster }),
  } as unknown as SearchSpace;
  return bestSupported(space, run, { candidates, rolloutsOf }).id;
}

it("keeps demonstrations that are shown to bring something", () => {
  expect(
    returned([
      { shown: [], right: 5 },
      { shown: [learnt], right: 15 },
    ]),
  ).toBe(1);
});

it("drops those that are ahead by less than a standard error, and all where one cluster is all", () => {
  const [seed, far, near] = [
    { shown: [], right: 5 },
    { shown: [learnt], right: 9 },
    { shown: [learnt], right: 5 },
  ] as const;
  expect(returned([seed, far])).toBe(1);
  expect(returned([seed, far], "all")).toBe(0);
  expect(returned([seed, near])).toBe(0);
  // One of 20 gained: as much as its standard error.
  expect(returned([seed, { shown: [learnt], right: 6 }])).toBe(0);
});

it("compares with the best that shows none of its own, and returns that", () => {
  const text = "Answer well.";
  const found = [
    { shown: [], right: 2 },
    { shown: [], right: 14, text },
    { shown: [learnt], right: 15, text },
  ] as const;
  expect(returned(found)).toBe(1);
});

it("lets the program's own demonstrations stay or go without asking", () => {
  expect(
    returned([
      { shown: [own], right: 5 },
      { shown: [], right: 6 },
    ]),
  ).toBe(1);
  expect(
    returned([
      { shown: [own], right: 5 },
      { shown: [own], right: 6, text: "B." },
    ]),
  ).toBe(1);
  expect(
    returned([
      { shown: [own], right: 5 },
      { shown: [own, learnt], right: 6 },
    ]),
  ).toBe(0);
});
