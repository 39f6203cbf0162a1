import { expect, it } from "vitest";
import type { CandidateRecord } from "espalier/optimizer";
import { chosen } from "../../../src/optimizer/joint-search/stage/choose.ts";

interface Found {
  /** Over the seed; the deviation of each is .04. */
  readonly gain: number;
  readonly promptTokens: number;
}

/** Id of the candidate that is chosen after a search of 200 rollouts. */
function chosenOf(found: readonly Found[]): number {
  const all = [{ gain: 0, promptTokens: 100 }, ...found];
  const candidates = all.map(({ gain, promptTokens }, id): CandidateRecord => ({
    id,
    components: [],
    parents: id === 0 ? [] : [0],
    iteration: id,
    changed: [],
    learntFrom: [],
    selection: {
      value: 0.5 + gain,
      scores: {},
      coverage: 1,
      costs: { promptTokens, completionTokens: 10, lmCalls: 1 },
    },
    acceptance: { by: "test", detail: "" },
    metricCallsBefore: 0,
  }));
  const gainOf = ({ id }: CandidateRecord): number => all[id]?.gain ?? Number.NaN;
  return chosen(candidates, {
    gain: (one, over) => ({ mean: gainOf(one) - gainOf(over), deviation: 0.04 }),
    rollouts: 200,
  }).id;
}

it("takes the candidate that is expected to gain most", () => {
  expect(
    chosenOf([
      { gain: 0.1, promptTokens: 300 },
      { gain: 0.2, promptTokens: 900 },
    ]),
  ).toBe(2);
});

it("takes fewer prompt tokens at equal quality", () => {
  expect(
    chosenOf([
      { gain: 0.199, promptTokens: 300 },
      { gain: 0.2, promptTokens: 900 },
      { gain: 0.198, promptTokens: 400 },
      { gain: 0.15, promptTokens: 200 },
    ]),
  ).toBe(1);
});

it("keeps the program as it is where a gain is no more than chance, however few the tokens", () => {
  expect(chosenOf([{ gain: 0.03, promptTokens: 20 }])).toBe(0);
});
