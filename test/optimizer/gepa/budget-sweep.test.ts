import { expect, it } from "vitest";
import { EspalierError } from "espalier";
import { optimizeTexts } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";

const noise = (number: number): number => 0.3 * randomSource(number, "noise").random();

/** Of val alone the seed takes 130 calls; candidates are compared on a panel of 100. */
const sizes = { train: 12, val: 130 };

it.each([
  ["scores that do not vary", {}],
  ["scores that vary", { noise }],
])("no budget from 0 up is exceeded, with %s", async (_, options) => {
  const reasons = new Set<string>();
  for (let metricCalls = 0; metricCalls <= 600; metricCalls += metricCalls < 160 ? 13 : 37) {
    const { task, calls } = keywordTask({ ...options, ...sizes, seed: metricCalls % 5 });
    try {
      const { spent, reason } = await optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer() }),
        budget: { metricCalls },
      });
      expect(spent.metricCalls).toBe(calls.length);
      reasons.add(reason);
    } catch (error) {
      // Less than the seed's evaluation takes is refused.
      reasons.add(EspalierError.isInstance(error) ? error.code : String(error));
    }
    expect(calls.length).toBeLessThanOrEqual(metricCalls);
  }
  expect([...reasons]).toContain("budget");
});
