import { expect, it } from "vitest";
import type { CandidateRecord } from "espalier/optimizer";
import type { Configuration, Setting } from "../../../src/optimizer/joint-search/lever/lever.ts";
import type { DemonstrationLever } from "../../../src/optimizer/joint-search/lever/demonstration-lever.ts";
import { chosen, supported } from "../../../src/optimizer/joint-search/stage/choose.ts";

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
  expect(chosenOf([{ gain: 0.05, promptTokens: 20 }])).toBe(0);
  expect(chosenOf([{ gain: 0.06, promptTokens: 20 }])).toBe(1);
});

/** What is kept where the settings of three levers add so much: a text's, and demonstrations'. */
function keptOf(adds: readonly [number, number, number]): readonly string[] {
  const setting = (key: string): Setting =>
    ({ key, featuresOn: () => [] }) as Pick<Setting, "key" | "featuresOn"> as Setting;
  const initial = ["text", "read", "answer"].map(setting);
  const found = ["other text", "read 4", "answer 4"].map(setting);
  const all = initial.map((one) => ({ initial: one })) as unknown as DemonstrationLever[];
  const valueOf = (one: Configuration): number =>
    one.reduce((sum, { key }, at) => sum + (key === initial[at]?.key ? 0 : (adds[at] ?? 0)), 0);
  const gain = (one: Configuration, over: Configuration) => ({
    mean: valueOf(one) - valueOf(over),
    deviation: 0.04,
  });
  const levers = { all, demonstrations: all.slice(1) };
  return supported(found, levers, { gain }).map(({ key }) => key);
}

it("drops demonstrations predictor by predictor where they are not expected to bring anything", () => {
  expect(keptOf([0.1, 0.3, 0.2])).toEqual(["other text", "read 4", "answer 4"]);
  expect(keptOf([0.1, -0.01, 0.2])).toEqual(["other text", "read", "answer 4"]);
  expect(keptOf([0.1, 0, -0.02])).toEqual(["other text", "read", "answer"]);
});
