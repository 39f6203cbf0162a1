import { describe, expect, it } from "vitest";
import { randomSource } from "espalier";
import type { PredictorDemonstration } from "../../../src/optimizer/demonstrations/index.ts";
import { creditsOf } from "../../../src/optimizer/demonstrations/index.ts";

const demonstration = (exampleId: string, predictor = "answer"): PredictorDemonstration => ({
  predictor,
  demonstration: { exampleId, inputs: { asked: "q" }, outputs: { said: exampleId } },
});
const effects = new Map([
  ["good", 0.15],
  ["fair", 0.05],
  ["bad", -0.15],
]);
const all = [...effects.keys()].map((id) => demonstration(id));

/** Runs whose chance of 1 is the example's, changed by what is shown. */
function runs(count: number, seed: number) {
  const random = randomSource(seed, "runs", 0);
  return Array.from({ length: count }, (_, index) => {
    const shown = all.filter(() => random.random() < 0.5);
    const ease = 0.2 + 0.05 * (index % 10);
    const gains = shown.map(({ demonstration: { exampleId } }) => effects.get(exampleId) ?? 0);
    const chance = gains.reduce((sum, gain) => sum + gain, ease);
    return { exampleId: `e${index % 10}`, score: Number(random.random() < chance), shown };
  });
}

describe("credit", () => {
  it("finds what each demonstration brings, and how sure that is", () => {
    const { creditOf } = creditsOf(runs(6_000, 1));
    for (const one of all) {
      const { gain, low, high, runs: shown } = creditOf(one);
      const effect = effects.get(one.demonstration.exampleId) ?? 0;
      // Four standard errors of a difference between halves of 6,000 draws of at most .5 each.
      expect(Math.abs(gain - effect)).toBeLessThan(4 / Math.sqrt(6_000));
      expect(low).toBeLessThan(gain);
      expect(high).toBeGreaterThan(gain);
      expect(shown).toBeGreaterThan(2_800);
    }
    expect(creditOf(demonstration("bad")).high).toBeLessThan(0);
    expect(creditOf(demonstration("good")).low).toBeGreaterThan(0);
  });

  it("covers the truth with its intervals as often as they say, or nearly", () => {
    let [covered, total] = [0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const { creditOf } = creditsOf(runs(2_000, seed));
      for (const one of all) {
        const { low, high } = creditOf(one);
        const effect = effects.get(one.demonstration.exampleId) ?? 0;
        covered += Number(low <= effect && effect <= high);
        total++;
      }
    }
    // 95 % of 180 less four standard errors; shrinking towards 0 costs some.
    expect(covered / total).toBeGreaterThan(0.86);
  });

  it("says little after few runs", () => {
    const few = creditsOf(runs(20, 1)).creditOf(demonstration("bad"));
    expect(few.high).toBeGreaterThan(0);
  });

  it("gives what no run showed its predictor's mean, with more doubt", () => {
    const { creditOf } = creditsOf(runs(6_000, 1));
    const unknown = creditOf(demonstration("new"));
    expect(unknown.runs).toBe(0);
    expect(unknown.high - unknown.low).toBeGreaterThan(
      creditOf(demonstration("fair")).high - creditOf(demonstration("fair")).low,
    );
  });

  it("is none where nothing was shown", () => {
    const bare = runs(50, 1).map((run) => ({ ...run, shown: [] }));
    expect(creditsOf(bare).creditOf(demonstration("good"))).toMatchObject({ gain: 0, runs: 0 });
    expect(creditsOf([]).creditOf(demonstration("good"))).toMatchObject({ gain: 0, runs: 0 });
  });

  it("draws around its estimate", () => {
    const { creditOf, draw } = creditsOf(runs(500, 1));
    const draws = Array.from({ length: 4_000 }, (_, index) =>
      draw(randomSource(0, "draw", index))(demonstration("good")),
    );
    const { gain, low, high } = creditOf(demonstration("good"));
    const average = draws.reduce((sum, one) => sum + one, 0) / draws.length;
    const spread = (high - low) / (2 * 1.96);
    expect(Math.abs(average - gain)).toBeLessThan((4 * spread) / Math.sqrt(draws.length));
  });
});
