import { evaluate } from "espalier/evaluate";
import { expect } from "vitest";
import { lmAt, metricAt } from "../support/ask.ts";
import { rightShelf, shelfExamples, sorter } from "../support/shelves.ts";
import { test } from "../support/vllm-test.ts";

test("300 examples with 32 in flight are all scored, with a request each", async ({ guidance }) => {
  await using lm = lmAt(guidance, { concurrency: 32 });
  const before = await metricAt(guidance, "request_success_total");
  const { counts, rows } = await evaluate({
    program: sorter,
    examples: shelfExamples(300),
    metric: rightShelf,
    lm,
    concurrency: 32,
    resamples: 0,
  });
  expect(counts).toEqual({ scored: 300, notApplicable: 0, unscored: 0, formatFailures: 0 });
  expect(rows.map(({ exampleId }) => exampleId)).toEqual(shelfExamples(300).map(({ id }) => id));
  const answered = async (): Promise<number> =>
    (await metricAt(guidance, "request_success_total")) - before;
  await expect.poll(answered).toBe(300);
});
