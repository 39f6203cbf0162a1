import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import type { Explanations } from "../../../src/optimizer/joint-search/evidence/explanations.ts";
import { startExplanations } from "../../../src/optimizer/joint-search/evidence/explanations.ts";
import type { Configuration, Setting } from "../../../src/optimizer/joint-search/lever/lever.ts";
import { scoreModel } from "../../../src/optimizer/joint-search/model/score-model.ts";

const val = Array.from({ length: 40 }, (_, at) => `val${at}`);
/** Of three choices of four options, the first of which is the program's own. */
type Options = readonly [number, number, number];
const added = ([one, two, three]: Options): number => (one + two + three) / 9;

describe("two explanations of the same scores", () => {
  it("are by settings before anything is measured", () => {
    const { explanations } = searched([], added);
    expect(isBySettings(explanations)).toBe(true);
    expect(explanations.quality).toBeNull();
  });

  it("are by settings, which tell of what was not tried, where effects add up", () => {
    const { explanations, of } = searched(drawnOptions(60), added);
    explanations.check();
    expect(isBySettings(explanations)).toBe(true);
    expect(explanations.quality).toBeGreaterThan(0.2);
    const untried: Options = [3, 3, 3];
    const { mean, deviation } = explanations.believed.gain(of(untried), of([0, 0, 0]));
    expect(Math.abs(mean - added(untried))).toBeLessThan(3 * deviation);
    expect(explanations.byOwnRuns.gain(of(untried), of([0, 0, 0])).mean).toBeLessThan(0.5);
  });

  it("are by own runs where only combinations matter, from the next check on", () => {
    const table = randomSource(2, "table", 0).shuffle(
      Array.from({ length: 64 }, (_, place) => place / 63),
    );
    const options = drawnOptions(180);
    const worth = ([one, two, three]: Options): number => table[16 * one + 4 * two + three] ?? NaN;
    const { explanations } = searched(options, worth);
    expect(isBySettings(explanations)).toBe(true);
    explanations.check();
    expect(isBySettings(explanations)).toBe(false);
    expect(explanations.quality).toBeLessThan(0.2);
  });

  it("let one configuration differ from what its settings add up to", () => {
    const { explanations, of, run } = searched(drawnOptions(60), added);
    const lucky: Options = [1, 0, 0];
    const expected = (): number => explanations.byLevers.gain(of(lucky), of([0, 0, 0])).mean;
    const before = expected();
    explanations.setApart(of(lucky));
    expect(expected()).toBeCloseTo(before, 10);
    run(lucky, () => 1, 30);
    expect(expected() - before).toBeGreaterThan(0.05);
    const other: Options = [1, 1, 0];
    const { mean, deviation } = explanations.byLevers.gain(of(other), of([0, 0, 0]));
    expect(Math.abs(mean - added(other))).toBeLessThan(3 * deviation);
  });
});

function isBySettings({ believed, byLevers }: Explanations): boolean {
  return believed === byLevers;
}

function drawnOptions(count: number): readonly Options[] {
  const random = randomSource(1, "options", 0);
  return Array.from({ length: count }, () => [random.below(4), random.below(4), random.below(4)]);
}

/** Runs the program as it is and others, six times each, on examples that differ in nothing. */
function searched(options: readonly Options[], worth: (options: Options) => number) {
  const model = scoreModel({ mean: 0.5, deviation: 0.5 });
  const choices = [0, 1, 2].map((choice) =>
    [0, 1, 2, 3].map((option): Setting => {
      const place = option === 0 ? null : model.addFeature({ mean: 0, deviation: 0.25 });
      return {
        component: { kind: "parameter", path: `choice${choice}`, value: option },
        key: String(option),
        featuresOn: () => (place === null ? [] : [[place, 1]]),
      };
    }),
  );
  const of = (options: Options): Configuration =>
    options.map((option, choice) => choices[choice]?.[option] as Setting);
  const explanations: Explanations = startExplanations(model, {
    val,
    initial: of([0, 0, 0]),
    scale: 0.5,
  });
  const random = randomSource(3, "scores", 0);
  const begun = new Set<string>();
  const run = (options: Options, worth: (options: Options) => number, times: number): void => {
    const configuration = of(options);
    if (!begun.has(options.join())) explanations.begin(configuration);
    begun.add(options.join());
    for (let time = 0; time < times; time++) {
      const score = Number(random.random() < worth(options));
      explanations.observe(configuration, { split: "val", exampleId: random.choice(val), score });
    }
  };
  run([0, 0, 0], worth, 6);
  for (const one of options) run(one, worth, 6);
  return { explanations, of, run };
}
