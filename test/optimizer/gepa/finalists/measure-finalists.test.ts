import { expect, it } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import { optimizeTexts, racingValidation } from "espalier/optimizer";
import { randomSource } from "../../../../src/internal/index.ts";
import { gepaWith } from "../../support/gepa-with.ts";
import { directedProposer, keywordTask } from "../support/keyword-task.ts";

const noise = (number: number): number => 0.4 * randomSource(number, "noise").random();

async function searched(
  seed: number,
  options: Parameters<typeof keywordTask>[0],
  reflectionCalls?: number,
) {
  const events: OptimizerEvent[] = [];
  const { task, calls } = keywordTask({ seed, train: 20, val: 20, ...options });
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({
      proposer: directedProposer(),
      validation: racingValidation({ alpha: 0 }),
    }),
    budget: { metricCalls: 1_500, ...(reflectionCalls !== undefined && { reflectionCalls }) },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  const confirmed = events.filter((event) => event.kind === "candidate-confirmed");
  return { result, confirmed, calls };
}

it("where scores vary, leftover calls measure the finalists again, and scores are means of runs", async () => {
  for (const seed of [0, 1, 2]) {
    const { result, confirmed } = await searched(seed, { noise });
    expect(confirmed.length).toBeGreaterThan(0);
    expect(result.spent.metricCalls).toBeLessThanOrEqual(1_500);
    // Ranks by what all runs together say.
    const { selection, id } = result.best;
    const best = Math.max(...result.candidates.map((one) => one.selection.value));
    expect(selection.value).toBe(best);
    const told = confirmed.filter(({ candidate }) => candidate === id);
    expect(told.slice(-1).map((event) => event.selection)).toEqual(
      told.length > 0 ? [selection] : [],
    );
  }
});

it("where scores do not vary, nothing is measured twice", async () => {
  for (const seed of [0, 1, 2]) {
    const { confirmed } = await searched(seed, {});
    expect(confirmed).toEqual([]);
  }
});

it("once no text can be written any more, what is left of the metric calls goes to finalists", async () => {
  for (const seed of [0, 1, 2]) {
    const { result, confirmed } = await searched(seed, { noise }, 5);
    expect(result.reason).toBe("budget");
    expect(result.spent.reflectionCalls).toBe(5);
    expect(confirmed.length).toBeGreaterThan(0);
  }
});
