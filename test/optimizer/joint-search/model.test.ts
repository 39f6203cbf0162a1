import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import {
  predictionQuality,
  standardErrorsAhead,
} from "../../../src/optimizer/joint-search/model/prediction-quality.ts";
import type { Observation, Prior } from "../../../src/optimizer/joint-search/model/observation.ts";
import {
  scoreModel,
  scoreVariances,
} from "../../../src/optimizer/joint-search/model/score-model.ts";
import { sum } from "../../../src/statistics/index.ts";

const level: Prior = { mean: 0.4, deviation: 0.5 };
const effect: Prior = { mean: 0.02, deviation: 0.1 };

describe("the score model", () => {
  it("agrees with a regression in which each example's level is a feature like any other", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const observations = drawnObservations(seed, 60);
        const model = scoreModel(level);
        for (let feature = 0; feature < 3; feature++) model.addFeature(effect);
        for (const [place, one] of observations.entries()) {
          model.observe(one);
          // What was asked on the way must not change the end; variances are estimated anew there.
          if (place < 45 && place % 7 === seed % 7) model.posterior();
          if (place < 45 && place % 11 === seed % 11) model.noiseShare();
          if (place > 30 && place < 45 && place % 13 === seed % 13) model.learnNoise();
        }
        const { effects, sumOf, levelOf, determined } = model.posterior();
        const reference = plainRegression(observations, model.noiseShare() ?? NaN);
        for (const [place, value] of effects.entries()) {
          expect(value).toBeCloseTo(reference.effects[place] ?? NaN, 8);
        }
        // Seldom is one of the twelve examples not drawn at all.
        const { exampleId } = observations[0] as Observation;
        expect(levelOf(exampleId)).toBeCloseTo(reference.levelOf(exampleId), 8);
        expect(sumOf([[2, 1]]).deviation).toBeCloseTo(reference.deviations[2] ?? NaN, 8);
        expect(determined()).toBeCloseTo(reference.determined, 8);
      }),
      { numRuns: 20 },
    );
  });

  it("takes an effect that was never observed from its prior", () => {
    const model = scoreModel(level);
    const place = model.addFeature(effect);
    model.observe({ features: [], exampleId: "e", score: 1 });
    expect(model.posterior().sumOf([[place, 1]])).toEqual({
      mean: expect.closeTo(0.02, 12) as number,
      deviation: expect.closeTo(0.1, 12) as number,
    });
  });

  it("puts down to the others what one feature may not explain", () => {
    const model = scoreModel(level);
    const [one, other] = [model.addFeature({ ...effect, mean: 0 }), model.addFeature(effect)];
    for (let at = 0; at < 200; at++) {
      const features = [[one, 1] as const, [other, 1] as const];
      model.observe({ features, exampleId: `e${at % 20}`, score: 0.7 });
      model.observe({ features: [], exampleId: `e${at % 20}`, score: 0.4 });
    }
    const gain = [[one, 1] as const, [other, 1] as const];
    expect(model.posterior().sumOf(gain).mean).toBeCloseTo(0.3, 2);
    expect(model.posterior().effects[other]).toBeLessThan(0.2);
    expect(model.posterior(one).effects[one]).toBeCloseTo(0, 4);
    expect(model.posterior(one).effects[other]).toBeCloseTo(0.3, 1);
  });

  it("learns how much noise large effects leave", () => {
    const noise = 0.05;
    const random = randomSource(5, "scores", 0);
    const model = scoreModel({ mean: 0.5, deviation: 0.5 });
    const place = model.addFeature({ mean: 0, deviation: 0.3 });
    const others = Array.from({ length: 10 }, () => model.addFeature({ mean: 0, deviation: 0.1 }));
    const observations = Array.from({ length: 120 }, (_, at): Observation => {
      const shown = random.below(2);
      const other = others[random.below(others.length)] ?? 0;
      const level = 0.3 + 0.02 * (at % 20) + 0.4 * shown;
      // Uniform, with the standard deviation of the noise.
      const score = level + noise * Math.sqrt(12) * (random.random() - 0.5);
      return {
        features: [
          [place, shown],
          [other, 1],
        ],
        exampleId: `e${at % 20}`,
        score,
      };
    });
    for (const one of observations) model.observe(one);
    const before = model.posterior().sumOf([[place, 1]]);
    model.learnNoise();
    const after = model.posterior().sumOf([[place, 1]]);
    expect(before.deviation).toBeGreaterThan(3 * after.deviation);
    expect(Math.abs(after.mean - 0.4)).toBeLessThan(2 * after.deviation);
    const learnt = Math.sqrt((model.noiseShare() ?? NaN) * scoreVariances(observations).levels);
    expect(learnt).toBeGreaterThan(0.9 * noise);
    expect(learnt).toBeLessThan(1.1 * noise);
  });

  it("learns no noise before examples were run several times", () => {
    const model = scoreModel(level);
    const place = model.addFeature(effect);
    for (let at = 0; at < 40; at++) {
      model.observe({ features: [[place, at % 2]], exampleId: `e${at}`, score: at % 2 });
    }
    const { effects } = model.posterior();
    model.learnNoise();
    expect(model.noiseShare()).toBeNull();
    expect(model.posterior().effects).toEqual(effects);
  });

  it("hopes where it is asked what to try, and not where it is asked what is better", () => {
    const model = scoreModel(level);
    const place = model.addFeature({ mean: 0, deviation: 0.1, hope: 0.2 });
    const { effects, hoped, sumOf, draw } = model.posterior();
    expect([effects[place], sumOf([[place, 1]]).mean]).toEqual([0, 0]);
    expect(hoped[place]).toBeCloseTo(0.2, 12);
    expect(draw(randomSource(1, "draw", 0), 0)[place]).toBeCloseTo(0.2, 12);
    for (let at = 0; at < 400; at++) {
      model.observe({ features: [[place, 1]], exampleId: `e${at}`, score: 0.4 });
      model.observe({ features: [], exampleId: `e${at}`, score: 0.4 });
    }
    expect(model.posterior().hoped[place]).toBeCloseTo(0, 2);
  });

  it("draws around the expected effects, with the spread that it is told", () => {
    const model = scoreModel(level);
    const place = model.addFeature(effect);
    const draws = Array.from(
      { length: 4_000 },
      (_, at) => model.posterior().draw(randomSource(1, "draw", at), 0.5)[place] ?? NaN,
    );
    const mean = draws.reduce((sum, one) => sum + one, 0) / draws.length;
    const deviation = Math.sqrt(
      draws.reduce((sum, one) => sum + (one - mean) ** 2, 0) / draws.length,
    );
    expect(mean).toBeCloseTo(0.02, 2);
    expect(deviation).toBeCloseTo(0.05, 2);
  });
});

describe("the quality of predictions", () => {
  const quality = (scoreOf: (one: number, other: number) => number): number | null => {
    const trials = Array.from({ length: 40 }, (_, trial) =>
      Array.from({ length: 6 }, (_, row): Observation => {
        const [one, other] = [trial % 2, Math.floor(trial / 2) % 2];
        const noise = 0.2 * (randomSource(trial, "noise", row).random() - 0.5);
        return {
          features: [
            [1, one],
            [2, other],
          ],
          exampleId: `e${row}`,
          score: scoreOf(one, other) + noise,
        };
      }),
    );
    return predictionQuality(trials, [
      level,
      { mean: 0, deviation: 0.5 },
      { mean: 0, deviation: 0.5 },
    ]);
  };

  it("is high where effects add up, and none where only a combination matters", () => {
    expect(quality((one, other) => 0.2 + 0.3 * one + 0.3 * other)).toBeGreaterThan(0.8);
    expect(quality((one, other) => (one === other ? 0.8 : 0.2))).toBeLessThanOrEqual(0.02);
  });

  it("is none where scores differ by example alone", () => {
    const trials = Array.from({ length: 20 }, (_, trial) =>
      Array.from({ length: 6 }, (_, row): Observation => {
        const isVal = row % 2 === 0;
        const noise = 0.2 * (randomSource(trial, "noise", row).random() - 0.5);
        return {
          features: isVal ? [[1, 1]] : [],
          exampleId: `e${6 * trial + row}`,
          score: (isVal ? 0.8 : 0.2) + noise,
        };
      }),
    );
    const priors = [level, { mean: 0, deviation: 0.5 }];
    expect(predictionQuality(trials, priors)).toBeGreaterThan(0.5);
    expect(predictionQuality(trials, priors, [1])).toBeCloseTo(0, 12);
  });

  it("is unknown where there are too few trials", () => {
    expect(predictionQuality([[{ features: [], exampleId: "e", score: 1 }]], [level])).toBeNull();
  });
});

function drawnObservations(seed: number, count: number): readonly Observation[] {
  return Array.from({ length: count }, (_, at) => {
    const random = randomSource(seed, "observation", at);
    const features = [1, 2, 3].flatMap((place) =>
      random.random() < 0.5 ? [[place, random.random()] as const] : [],
    );
    return { features, exampleId: `e${random.below(12)}`, score: random.random() };
  });
}

/** Levels as indicator features; solved by Gauss-Jordan elimination. */
function plainRegression(observations: readonly Observation[], noiseShare: number) {
  const { levels } = scoreVariances(observations);
  const noise = noiseShare * levels;
  const ids = [...new Set(observations.map(({ exampleId }) => exampleId))];
  const priors = [
    level,
    effect,
    effect,
    effect,
    ...ids.map(() => ({ mean: 0, deviation: Math.sqrt(levels) })),
  ];
  const size = priors.length;
  const matrix = Array.from({ length: size }, () => Array<number>(2 * size + 1).fill(0));
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? NaN;
  const add = (row: number, column: number, value: number): void => {
    (matrix[row] as number[])[column] = at(row, column) + value;
  };
  for (const [row, { mean, deviation }] of priors.entries()) {
    add(row, row, 1 / deviation ** 2);
    add(row, size, mean / deviation ** 2);
    add(row, size + 1 + row, 1);
  }
  for (const { features, exampleId, score } of observations) {
    const all = [[0, 1], ...features, [4 + ids.indexOf(exampleId), 1]] as const;
    for (const [row = 0, value = 0] of all) {
      add(row, size, (value * score) / noise);
      for (const [column = 0, other = 0] of all) add(row, column, (value * other) / noise);
    }
  }
  for (let pivot = 0; pivot < size; pivot++) {
    const scale = at(pivot, pivot);
    matrix[pivot] = (matrix[pivot] as number[]).map((value) => value / scale);
    for (let row = 0; row < size; row++) {
      const times = at(row, pivot);
      if (row === pivot || times === 0) continue;
      matrix[row] = (matrix[row] as number[]).map(
        (value, column) => value - times * at(pivot, column),
      );
    }
  }
  const effects = priors.map((_, row) => at(row, size));
  const variances = priors.map((_, row) => at(row, size + 1 + row));
  return {
    effects: effects.slice(0, 4),
    deviations: variances.map((variance) => Math.sqrt(variance)),
    determined: sum(
      priors.slice(0, 4).map(({ deviation }, row) => 1 - (variances[row] ?? NaN) / deviation ** 2),
    ),
    levelOf: (id: string) => (effects[0] ?? NaN) + (effects[4 + ids.indexOf(id)] ?? NaN),
  };
}

describe("own runs and settings, compared by what they predict of runs held out", () => {
  /** Of configurations of three choices: effects of their own against those of each option. */
  const ahead = (worth: (one: number, two: number, three: number) => number): number => {
    const own = { priors: [level] as Prior[], observations: [] as Observation[] };
    const settings = { priors: [level] as Prior[], observations: [] as Observation[] };
    const random = randomSource(1, "configurations", 0);
    for (let place = 0; place < 12; place++) settings.priors.push({ mean: 0, deviation: 0.25 });
    for (let trial = 1; trial <= 60; trial++) {
      own.priors.push({ mean: 0, deviation: 0.25 });
      const [one, two, three] = [random.below(4), random.below(4), random.below(4)];
      for (let run = 0; run < 6; run++) {
        const score = Number(random.random() < worth(one, two, three));
        const of = { exampleId: `e${random.below(40)}`, score };
        own.observations.push({ ...of, features: [[trial, 1]] });
        const places = [1 + one, 5 + two, 9 + three].map((place) => [place, 1] as const);
        settings.observations.push({ ...of, features: places });
      }
    }
    return standardErrorsAhead(own, settings);
  };

  it("lets own runs be clearly ahead where only combinations matter", () => {
    const table = randomSource(2, "table", 0).shuffle(
      Array.from({ length: 64 }, (_, place) => place / 63),
    );
    expect(ahead((one, two, three) => table[16 * one + 4 * two + three] ?? NaN)).toBeGreaterThan(3);
  });

  it("does not let own runs be clearly ahead where effects add up, or nothing matters", () => {
    expect(ahead((one, two, three) => (one + two + three) / 9)).toBeLessThan(0);
    expect(ahead((one, two, three) => 0.5 + (one + two + three) / 90)).toBeLessThan(3);
    expect(ahead(() => 0.5)).toBeLessThan(3);
  });

  it("counts no difference where all scores are equal, whatever priors expect", () => {
    const runs = Array.from({ length: 100 }, (_, run) => ({ exampleId: `e${run % 10}`, score: 0 }));
    const own = runs.map((of, run): Observation => ({ ...of, features: [[1 + (run % 5), 1]] }));
    const settings = runs.map((of, run): Observation => ({ ...of, features: [[1, run % 3]] }));
    const exact: Prior = { mean: 0, deviation: 0.5 };
    const ofOwn = { observations: own, priors: [exact, ...own.slice(0, 5).map(() => exact)] };
    const ofSettings = { observations: settings, priors: [exact, { mean: -0.3, deviation: 0.25 }] };
    expect(standardErrorsAhead(ofOwn, ofSettings)).toBe(0);
    expect(standardErrorsAhead(ofOwn, ofOwn)).toBe(0);
  });

  it("says nothing of fewer runs than folds", () => {
    const few = {
      observations: [{ exampleId: "a", score: 1, features: [] }],
      priors: [level],
    };
    expect(standardErrorsAhead(few, few)).toBe(0);
  });
});
