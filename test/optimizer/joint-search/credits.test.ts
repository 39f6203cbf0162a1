import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import type { CandidateRecord, Rollout } from "espalier/optimizer";
import type { Evidence } from "../../../src/optimizer/joint-search/evidence/evidence.ts";
import type { Records } from "../../../src/optimizer/joint-search/evidence/records.ts";
import { demonstrationLever } from "../../../src/optimizer/joint-search/lever/demonstration-lever.ts";
import type { DemonstrationSetting } from "../../../src/optimizer/joint-search/lever/demonstration-lever.ts";
import type { Levers } from "../../../src/optimizer/joint-search/lever/levers.ts";
import { scoreModel } from "../../../src/optimizer/joint-search/model/score-model.ts";
import { creditsOfConfiguration } from "../../../src/optimizer/joint-search/stage/choose.ts";

const effects = new Map([
  ["good", 0.2],
  ["fair", 0],
  ["bad", -0.2],
]);
const train = [...effects.keys()];
const val = ["e0", "e1", "e2", "e3", "e4", "e5", "e6"];
// The first example of val and the good demonstration are of one cluster.
const clusterOf = (id: string): string | undefined =>
  ["e0", "good"].includes(id) ? "pair" : undefined;

const lever = demonstrationLever(
  { kind: "demos", path: "answer", value: [] },
  scoreModel({ mean: 0.5, deviation: 0.5 }),
  { similarity: () => 0, scale: 0.5, most: 3, rules: { threshold: 0.7, clusterOf } },
);
for (const id of train) {
  lever.learn({
    ...ran(id, 1),
    lesson: {
      steps: [
        {
          path: "answer",
          predictor: "answer",
          inputs: { asked: id },
          outputs: { said: id },
          rawText: null,
        },
      ],
    },
  });
}
// Of the level, their number, coverage, and one effect each.
const whole = lever.best(Float64Array.of(0, 0.1, 0, 0, 0, 0), val) as DemonstrationSetting;

const random = randomSource(0, "credits", 0);
const trials = Array.from({ length: 300 }, () => {
  const setting = lever.drawn(random) as DemonstrationSetting;
  const shown = setting.component.value.map(({ exampleId }) => exampleId);
  const judged = (id: string): Rollout => {
    const seen = shown.filter((source) => source !== id && !(source === "good" && id === "e0"));
    const chance = seen.reduce((sum, source) => sum + (effects.get(source) ?? 0), 0.5);
    return ran(id, Number(random.random() < chance));
  };
  return {
    configuration: [setting],
    shown,
    train: train.map(judged),
    val: val.map(judged),
    metricCallsBefore: 0,
  };
});

function creditsWhere(isModelBelieved: boolean) {
  return creditsOfConfiguration({} as CandidateRecord, {
    space: { name: "made", components: [], train, val, clusterOf, describe: () => "" },
    levers: { all: [lever], demonstrations: [lever] } as unknown as Levers,
    evidence: {
      trials,
      isModelBelieved,
      gain: () => ({ mean: 0.3, deviation: 0.1 }),
    } as unknown as Evidence,
    records: { configurationOf: () => [whole] } as unknown as Records,
  });
}

describe("credits of a joint search", () => {
  it.each([true, false])(
    "count the runs that showed a demonstration, neither on its example nor on its cluster's (model believed: %s)",
    (isModelBelieved) => {
      const credits = creditsWhere(isModelBelieved);
      expect(credits.map(({ exampleId }) => exampleId).toSorted()).toEqual(train.toSorted());
      for (const { exampleId, runs } of credits) {
        const tried = trials.filter(({ shown }) => shown.includes(exampleId)).length;
        // On all of ten but its own, and of the good one the first of val.
        expect(runs).toBe(tried * (exampleId === "good" ? 8 : 9));
      }
    },
  );

  it("are what the model says of the candidate with and without it", () => {
    for (const { gain, low, high, basis } of creditsWhere(true)) {
      expect({ gain, basis }).toEqual({ gain: 0.3, basis: "model" });
      expect(low).toBeCloseTo(0.3 - 1.96 * 0.1, 4);
      expect(high).toBeCloseTo(0.3 + 1.96 * 0.1, 4);
    }
  });

  it("are found by a regression over its runs where its model is not believed", () => {
    const credits = creditsWhere(false);
    expect(credits).toHaveLength(3);
    for (const { exampleId, gain, low, high, basis } of credits) {
      const effect = effects.get(exampleId) ?? 0;
      expect(basis).toBe("regression");
      // Four standard errors of a difference between halves of 3,000 draws of at most .5 each.
      expect(Math.abs(gain - effect)).toBeLessThan(4 / Math.sqrt(3_000));
      expect(low).toBeLessThan(gain);
      expect(high).toBeGreaterThan(gain);
    }
  });
});

function ran(exampleId: string, value: number): Rollout {
  return {
    exampleId,
    score: { kind: "scored", value },
    ran: ["answer"],
    usage: { calls: 1, promptTokens: 1, completionTokens: 1 },
    worst: 0,
  };
}
