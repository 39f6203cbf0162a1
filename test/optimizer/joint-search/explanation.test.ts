import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import type { Explanation } from "../../../src/optimizer/joint-search/evidence/explanations.ts";
import { explanation } from "../../../src/optimizer/joint-search/evidence/explanations.ts";
import type { Split } from "../../../src/optimizer/joint-search/evidence/replays.ts";
import type { Configuration, Setting } from "../../../src/optimizer/joint-search/lever/lever.ts";
import { scoreModel } from "../../../src/optimizer/joint-search/model/score-model.ts";

const idsOf = (split: Split): readonly string[] =>
  Array.from({ length: 60 }, (_, at) => `${split}${at}`);
const examples = { train: idsOf("train"), val: idsOf("val") };
const initial = configuration("initial", null);

describe("an explanation of scores", () => {
  it("does not take an easier val for a gain of what was run there more", () => {
    const { explained, tried, run } = searchOf(1);
    const levels = { train: 0.25, val: 0.65 };
    run(initial, "train", 30, levels.train);
    run(initial, "val", 10, levels.val);
    run(tried(0), "val", 14, levels.val);
    const { mean } = explained.gain(tried(0), initial);
    expect(Math.abs(mean)).toBeLessThan(0.08);
    expect(Math.abs(explained.valueOf(initial) - levels.val)).toBeLessThan(0.08);
  });

  it("leaves the program as it is its value where all that is tried loses", () => {
    const { explained, tried, run } = searchOf(24);
    run(initial, "train", 30, 0.6);
    run(initial, "val", 10, 0.6);
    for (let trial = 0; trial < 24; trial++) {
      run(tried(trial), "train", 2, 0.3);
      run(tried(trial), "val", 2, 0.3);
    }
    expect(Math.abs(explained.valueOf(initial) - 0.6)).toBeLessThan(0.05);
    for (let trial = 0; trial < 24; trial++) {
      const { mean, deviation } = explained.gain(tried(trial), initial);
      expect(mean).toBeLessThan(-deviation);
    }
  });
});

/** A search over configurations that each have an effect of their own. */
function searchOf(configurations: number) {
  const model = scoreModel({ mean: 0.4, deviation: 0.5 });
  const tried = Array.from({ length: configurations }, (_, at) =>
    configuration(`tried${at}`, model.addFeature({ mean: 0, deviation: 0.1 })),
  );
  const explained: Explanation = explanation(model, {
    val: examples.val,
    initial,
    scale: 0.5,
    featuresOn: (of, exampleId) => of.flatMap((setting) => setting.featuresOn(exampleId)),
  });
  let next = 0;
  const random = randomSource(7, "scores", 0);
  return {
    explained,
    tried: (at: number): Configuration => tried[at] ?? initial,
    run: (of: Configuration, split: Split, count: number, level: number): void => {
      for (let at = 0; at < count; at++) {
        const exampleId = examples[split][next++ % examples[split].length] ?? "";
        explained.observe(of, { split, exampleId, score: level + 0.3 * (random.random() - 0.5) });
      }
    },
  };
}

function configuration(key: string, place: number | null): Configuration {
  const setting: Setting = {
    component: { kind: "instruction", path: "p", value: key },
    key,
    featuresOn: () => (place === null ? [] : [[place, 1]]),
  };
  return [setting];
}
