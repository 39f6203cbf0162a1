import { evaluate } from "espalier/evaluate";
import { expect } from "vitest";
import { lmAt, metricAt } from "../support/ask.ts";
import { rightShelf, shelfExamples, sorter } from "../support/shelves.ts";
import { test } from "../support/vllm-test.ts";

test("300 examples with 32 in flight are all scored, twice alike", async ({ guidance }) => {
  await using lm = lmAt(guidance, { concurrency: 32 });
  const run = () =>
    evaluate({
      program: sorter,
      examples: shelfExamples(300),
      metric: rightShelf,
      lm,
      concurrency: 32,
      resamples: 0,
    });
  const before = await metricAt(guidance, "request_success_total");
  const first = await run();
  expect(first.counts).toEqual({ scored: 300, notApplicable: 0, unscored: 0, formatFailures: 0 });
  expect((await metricAt(guidance, "request_success_total")) - before).toBe(300);
  const again = await run();
  expect(again.rows.map(({ output }) => output)).toEqual(first.rows.map(({ output }) => output));
});
