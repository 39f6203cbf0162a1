import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import type { Blame, Demonstration } from "espalier";
import type { Rollout } from "../../../src/optimizer/evaluation/index.ts";
import { demonstrationLever } from "../../../src/optimizer/joint-search/lever/demonstration-lever.ts";
import type { Configuration, Lever } from "../../../src/optimizer/joint-search/lever/lever.ts";
import { parameterLever } from "../../../src/optimizer/joint-search/lever/parameter-lever.ts";
import { settled } from "../../../src/optimizer/joint-search/lever/levers.ts";
import { textLever, textSimilarity } from "../../../src/optimizer/joint-search/lever/text-lever.ts";
import { scoreModel } from "../../../src/optimizer/joint-search/model/score-model.ts";

const level = { mean: 0.5, deviation: 0.5 };

describe("similarity", () => {
  const similarity = textSimilarity(
    new Map([
      ["a", "red fox in the wood"],
      ["b", "the red fox"],
      ["c", "the price of copper"],
      ["d", "the grey fox"],
      ["e", "the red barn"],
    ]),
  );

  it("is 1 for the same text, and 0 for texts that share but words that all have", () => {
    expect(similarity("a", "a")).toBeCloseTo(1, 12);
    expect(similarity("a", "c")).toBe(0);
  });

  it("is above 0 for texts without a word in common that others tie together", () => {
    // "grey fox" and "red barn" share words with "red fox" alone.
    expect(similarity("d", "e")).toBeGreaterThan(0.01);
    expect(similarity("d", "e")).toBeLessThan(similarity("d", "b"));
    expect(similarity("c", "e")).toBe(0);
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
  const parameter = { kind: "int", default: 2, min: 1, max: 9, isLogScale: false } as const;
  const component = { kind: "parameter", path: "k", value: 2 } as const;

  it.each([false, true])(
    "is best at the top of its parabola, in whole steps, within its range (learns a shape: %s)",
    (learnsShape) => {
      const model = scoreModel(level);
      const lever = parameterLever(component, parameter, model, { scale: 0.5, learnsShape });
      // Slope and bend of the distance from the program's own value, in shares of the range.
      const best = (slope: number, bend: number) => {
        const effects = new Float64Array(model.priors.length);
        effects.set([0, slope, bend]);
        return lever.best(effects, []);
      };
      expect(best(0.5, -0.5).component.value).toBe(6);
      expect(best(0.5, 0).component.value).toBe(9);
      expect(best(-0.5, -0.5).component.value).toBe(1);
      expect(best(0, -0.5)).toBe(lever.initial);
    },
  );

  it("learns a curve with a plateau and a narrow top, of which a parabola misses the top", () => {
    const wide = { ...parameter, max: 61 };
    const worth = (value: number): number => Math.max(0.3, 0.7 - Math.abs(value - 52) / 20);
    const best = (learnsShape: boolean): number => {
      const model = scoreModel({ mean: 0.3, deviation: 0.5 });
      const lever = parameterLever(component, wide, model, { scale: 0.5, learnsShape });
      const random = randomSource(1, "curve", 0);
      for (let run = 0; run < 1_000; run++) {
        const { component: drawn, featuresOn } = lever.drawn(random);
        const score = worth(Number(drawn.value)) + 0.4 * (random.random() - 0.5);
        model.observe({ features: featuresOn(""), exampleId: `e${run % 50}`, score });
      }
      return Number(lever.best(model.posterior().effects, []).component.value);
    };
    expect(Math.abs(best(true) - 52)).toBeLessThanOrEqual(3);
    expect(best(false)).toBe(61);
  });
});

describe("demonstrations", () => {
  const similarity = (one: string, other: string): number => Number(one[0] === other[0]);
  const made = (value: readonly Demonstration[] = []) =>
    demonstrationLever({ kind: "demos", path: "p", value }, scoreModel(level), {
      similarity,
      scale: 0.5,
      most: 2,
      // "a1" and "a2" are of one cluster.
      rules: { threshold: 0.7, clusterOf: (id) => (/^a[12]$/.test(id) ? "a" : undefined) },
    });
  const ran = (exampleId: string, answer: string, blame: readonly Blame[] = []): Rollout =>
    ({
      exampleId,
      score: { kind: "scored", value: 1 },
      lesson: {
        blame,
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

  it("count for nothing on examples of their cluster either", () => {
    const lever = made();
    lever.learn(ran("a1", "x"));
    const [shown] = shownBy(lever, effects(0), ["a7"]);
    expect(shown).toMatchObject({ exampleId: "a1", cluster: "a", score: 1 });
    expect(lever.best(effects(0), ["a7"]).featuresOn("a2")).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  it("are none of runs below the least score", () => {
    const lever = made();
    lever.learn({ ...ran("a1", "x"), score: { kind: "scored", value: 0.6 } });
    expect(shownBy(lever, effects(), ["a7"])).toEqual([]);
  });

  it("are not of calls that feedback blames, while there are others", () => {
    const blame = [{ path: "p", text: "Wrong, in a run that went well." }];
    const lever = made();
    lever.learn(ran("a1", "lucky", blame));
    expect(shownBy(lever, effects(0), ["a7"])).toHaveLength(1);
    lever.learn(ran("b1", "right"));
    const shown = shownBy(lever, effects(0, 0), ["a7", "b7"]);
    expect(shown.map(({ exampleId }) => exampleId)).toEqual(["b1"]);
  });

  it("replace those of the program where that is expected to gain", () => {
    const own = { exampleId: "z1", inputs: { q: "z" }, outputs: { answer: "own" } };
    const lever = made([own]);
    // Of the level, count, coverage, then of the loss of the program's own.
    expect(lever.best(Float64Array.of(0, -0.01, 0.5, -0.1), ["a7"])).toBe(lever.initial);
    expect(shownBy(lever, Float64Array.of(0, -0.01, 0.5, 0.1), ["a7"])).toEqual([]);
    lever.learn(ran("a1", "x"));
    const shown = shownBy(lever, Float64Array.of(0, -0.01, 0.5, -0.1, 0), ["a7"]);
    expect(shown.map(({ exampleId }) => exampleId)).toEqual(["a1"]);
    const worse = Float64Array.of(0, -0.01, 0.5, -0.6, 0);
    expect(lever.best(worse, ["a7"])).toBe(lever.initial);
  });
});

describe("a parameter that matters beside certain values of others", () => {
  const parameters = {
    search: { kind: "choice", default: "lexical", options: ["lexical", "both"] },
    weight: {
      kind: "real",
      default: 0.5,
      min: 0,
      max: 1,
      isLogScale: false,
      when: { search: "both" },
    },
  } as const;
  const components = [
    { kind: "parameter", path: "search", value: "lexical" },
    { kind: "parameter", path: "weight", value: 0.5 },
  ] as const;

  it("stays as the program has it beside other values", () => {
    const model = scoreModel(level);
    const [search, weight] = components.map((component) =>
      parameterLever(component, parameters[component.path], model, {
        scale: 0.5,
        learnsShape: false,
      }),
    ) as [Lever, Lever];
    // Of the level, of "both", then slope and bend of the weight.
    const heavier = weight.best(Float64Array.of(0, 0, 0.5, -0.2), []);
    const both = search.best(Float64Array.of(0, 0.2, 0, 0), []);
    const space = { components, parameters };
    const settle = (one: Configuration) => settled(one, [search, weight], space);
    expect(settle([search.initial, heavier])).toEqual([search.initial, weight.initial]);
    expect(settle([both, heavier])).toEqual([both, heavier]);
  });
});
