import { describe, expect, it } from "vitest";
import type { Rollout } from "../../../src/optimizer/evaluation/index.ts";
import { demonstrationLever } from "../../../src/optimizer/joint-search/lever/demonstration-lever.ts";
import { parameterLever } from "../../../src/optimizer/joint-search/lever/parameter-lever.ts";
import { textLever } from "../../../src/optimizer/joint-search/lever/text-lever.ts";
import { textSimilarity } from "../../../src/optimizer/joint-search/lever/text-similarity.ts";
import { scoreModel } from "../../../src/optimizer/joint-search/model/score-model.ts";

const level = { mean: 0.5, deviation: 0.5 };

describe("similarity", () => {
  const similarity = textSimilarity(
    new Map([
      ["a", "red fox in the wood"],
      ["b", "the red fox"],
      ["c", "the price of copper"],
    ]),
  );

  it("is 1 for the same text, more for shared rare words, and ignores words that all have", () => {
    expect(similarity("a", "a")).toBeCloseTo(1, 12);
    // Weights ln 1.5 for words of two texts, ln 3 for words of one.
    const [common, rare] = [Math.log(1.5), Math.log(3)];
    const lengths = Math.hypot(common, common, rare, rare) * Math.hypot(common, common);
    expect(similarity("a", "b")).toBeCloseTo((2 * common ** 2) / lengths, 12);
    expect(similarity("a", "c")).toBe(0);
  });
});

describe("a text", () => {
  it("has the effects of the texts that it was written from", () => {
    const model = scoreModel(level);
    const lever = textLever({ kind: "instruction", path: "p", value: "Own." }, model, 0.5);
    lever.write(lever.initial, "Child.");
    const child = lever.texts[1] ?? lever.initial;
    lever.write(child, "Grandchild.");
    expect(lever.texts[2]?.featuresOn("e").map(([place]) => place)).toEqual([1, 2]);
    expect(lever.best(Float64Array.of(0, 0.1, -0.2), []).component.value).toBe("Child.");
    expect(lever.best(Float64Array.of(0, -0.1, 0.2), []).component.value).toBe("Grandchild.");
    expect(lever.best(Float64Array.of(0, -0.1, -0.2), []).component.value).toBe("Own.");
  });
});

describe("a number", () => {
  it("is best at the top of its parabola, in whole steps, within its range", () => {
    const parameter = { kind: "int", default: 2, min: 1, max: 9, isLogScale: false } as const;
    const component = { kind: "parameter", path: "k", value: 2 } as const;
    const lever = parameterLever(component, parameter, scoreModel(level), 0.5);
    // Slope and bend of the distance from the program's own value, in shares of the range.
    expect(lever.best(Float64Array.of(0, 0.5, -0.5), []).component.value).toBe(6);
    expect(lever.best(Float64Array.of(0, 0.5, 0), []).component.value).toBe(9);
    expect(lever.best(Float64Array.of(0, -0.5, -0.5), []).component.value).toBe(1);
    expect(lever.best(Float64Array.of(0, 0, -0.5), [])).toBe(lever.initial);
  });
});

describe("demonstrations", () => {
  const similarity = (one: string, other: string): number => Number(one[0] === other[0]);
  const made = () =>
    demonstrationLever({ kind: "demos", path: "p", value: [] }, scoreModel(level), {
      similarity,
      scale: 0.5,
      most: 2,
    });
  const ran = (exampleId: string, answer: string): Rollout =>
    ({
      exampleId,
      lesson: {
        steps: [{ path: "p", predictor: "p", inputs: { q: exampleId }, outputs: { answer } }],
      },
    }) as unknown as Rollout;
  const shownBy = (
    lever: ReturnType<typeof made>,
    effects: Float64Array,
    ids: readonly string[],
  ) => {
    const { component } = lever.best(effects, ids);
    return component.kind === "demos" ? component.value : [];
  };
  // Of the level, of each demonstration, of coverage, then credits.
  const effects = (...credits: readonly number[]) => Float64Array.of(0, -0.01, 0.5, ...credits);

  it("cover what is asked: one of each kind before two of one", () => {
    const lever = made();
    for (const id of ["a1", "a2", "b1"]) lever.learn(ran(id, "x"));
    const shown = shownBy(lever, effects(0, 0, 0), ["a7", "a8", "b9"]);
    expect(shown.map(({ exampleId }) => exampleId)).toEqual(["a1", "b1"]);
  });

  it("are left out where they cost more than they bring", () => {
    const lever = made();
    lever.learn(ran("a1", "x"));
    expect(shownBy(lever, effects(-0.5), ["a7"])).toEqual([]);
  });

  it("show the outputs that most runs of an example came to", () => {
    const lever = made();
    for (const answer of ["odd", "usual", "usual"]) lever.learn(ran("a1", answer));
    expect(shownBy(lever, effects(0, 0), ["a7"])).toMatchObject([{ outputs: { answer: "usual" } }]);
  });

  it("count for nothing on their own example, which is not shown them", () => {
    const lever = made();
    lever.learn(ran("a1", "x"));
    const setting = lever.best(effects(0), ["a7"]);
    expect(setting.featuresOn("a1")).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(setting.featuresOn("a7")).toEqual([
      [1, 1],
      [2, 0.8],
      [3, 1],
    ]);
  });
});
