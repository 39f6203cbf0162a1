import { expect, test } from "vitest";
import { conversations } from "./conversations.ts";
import { evaluateValues } from "./programs.ts";

test("holds the truth about 95 times in 100, and would not without clusters", async () => {
  const trials = 400;
  let [clustered, independent] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const clusters = conversations(trial);
    const options = { resamples: 400, seed: trial };
    const holdsZero = async (rows: readonly (number | readonly number[])[]) => {
      const { interval } = await evaluateValues(rows, options);
      return interval !== null && interval.low <= 0 && interval.high >= 0 ? 1 : 0;
    };
    clustered += await holdsZero(clusters);
    independent += await holdsZero(clusters.flat());
  }
  // Three standard errors of 400 trials at 0.95 are 0.033; a bootstrap of 40 runs slightly short.
  expect(clustered / trials).toBeGreaterThan(0.9);
  expect(clustered / trials).toBeLessThan(0.985);
  expect(independent / trials).toBeLessThan(0.75);
});
