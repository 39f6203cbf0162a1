import { describe, expect, it } from "vitest";
import { randomSource } from "../../../../src/internal/index.ts";
import { drawPanel } from "../../../../src/optimizer/gepa/strategy/racing-validation.ts";

const options = { size: 100, others: 30, perfectScore: 1 };
const draws = (seed = 0) => randomSource(seed, "panel");

/** A seed's scores, of which the first `failing` are 0 and the others 1. */
function scores(count: number, failing: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`v${index}`, index < failing ? 0 : 1]),
  );
}

describe("the val examples that candidates are compared on", () => {
  it("are all of a val that is no larger, and of one in which nobody knows who fell short", () => {
    expect(drawPanel(scores(100, 5), options, draws())).toEqual({
      exampleIds: Object.keys(scores(100, 5)),
    });
    const unknown = { ...options, perfectScore: null };
    expect(drawPanel(scores(500, 5), unknown, draws()).exampleIds).toHaveLength(500);
  });

  it.each([
    [50, 50, 50],
    [500, 70, 30],
    [990, 90, 10],
    [0, 0, 100],
  ])("with %i failures in 1,000 are %i of these and %i others", (failing, short, others) => {
    const { exampleIds, weights } = drawPanel(scores(1_000, failing), options, draws());
    const drawn = exampleIds.filter((id) => Number(id.slice(1)) < failing);
    expect([drawn.length, exampleIds.length - drawn.length]).toEqual([short, others]);
    // Each stands for its part of val.
    const total = [...(weights?.values() ?? [])].reduce((sum, weight) => sum + weight, 0);
    expect(total).toBeCloseTo(1_000, 9);
    expect(exampleIds).toEqual(Object.keys(scores(1_000, 0)).filter((id) => weights?.has(id)));
  });

  it("estimate the mean over val without bias", () => {
    const values = new Map(
      Object.keys(scores(1_000, 0)).map((id, index) => [id, (index % 97) / 97 + index / 2_000]),
    );
    const mean = [...values.values()].reduce((sum, value) => sum + value, 0) / 1_000;
    const estimates = Array.from({ length: 400 }, (_, seed) => {
      const { exampleIds, weights } = drawPanel(scores(1_000, 200), options, draws(seed));
      const sum = exampleIds.reduce(
        (total, id) => total + (weights?.get(id) ?? 0) * (values.get(id) ?? 0),
        0,
      );
      return sum / 1_000;
    });
    const average = estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length;
    expect(average).toBeCloseTo(mean, 2);
  });
});
