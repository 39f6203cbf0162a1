import { expect, it } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import { adaptiveWidth, optimizeTexts, racingValidation } from "espalier/optimizer";
import { randomSource } from "../../../../src/internal/index.ts";
import type { FlatGepaOptions } from "../../support/gepa-with.ts";
import { gepaWith } from "../../support/gepa-with.ts";
import { directedProposer, keywordTask } from "../support/keyword-task.ts";

const noise = (number: number): number => 0.4 * randomSource(number, "noise").random();

async function searched(
  seed: number,
  options: Parameters<typeof keywordTask>[0],
  reflectionCalls?: number,
  strategies: FlatGepaOptions = {},
) {
  const events: OptimizerEvent[] = [];
  const { task, calls } = keywordTask({ seed, train: 20, val: 20, ...options });
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({
      proposer: directedProposer(),
      validation: racingValidation({ alpha: 0 }),
      ...strategies,
    }),
    budget: { metricCalls: 1_500, ...(reflectionCalls !== undefined && { reflectionCalls }) },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  const confirmed = events.filter((event) => event.kind === "candidate-confirmed");
  return { result, confirmed, calls, events };
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

it("a wide search measures several finalists before it looks again, within the budget", async () => {
  /** Evaluations of candidates that come with one step's spending. */
  const maxTogether = (events: readonly OptimizerEvent[]): number => {
    let [most, together] = [0, 0];
    for (const event of events) {
      if (event.kind === "candidate-evaluated" && event.split === "val") together++;
      if (event.kind !== "budget-spent") continue;
      most = Math.max(most, together);
      together = 0;
    }
    return most;
  };
  const wide = { proposals: adaptiveWidth() };
  const together: number[] = [];
  for (const seed of [0, 1, 2]) {
    const [one, four] = await Promise.all([
      searched(seed, { noise }, 5),
      searched(seed, { noise }, 5, wide),
    ]);
    expect(maxTogether(one.events)).toBeLessThanOrEqual(2);
    together.push(maxTogether(four.events));
    expect(four.calls.length).toBe(four.result.spent.metricCalls);
    expect(four.result.spent.metricCalls).toBeLessThanOrEqual(1_500);
    const { selection } = four.result.best;
    expect(selection.value).toBe(
      Math.max(...four.result.candidates.map((each) => each.selection.value)),
    );
  }
  // Where more than two may be the best.
  expect(Math.max(...together)).toBeGreaterThan(2);
});
