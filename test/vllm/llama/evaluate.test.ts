import { evaluate } from "espalier/evaluate";
import { expect } from "vitest";
import { lmAt } from "../support/ask.ts";
import { rightShelf, shelfExamples, sorter } from "../support/shelves.ts";
import { test } from "../support/vllm-test.ts";

test("examples are scored on a server with default options", async ({ llama }) => {
  await using lm = lmAt(llama, { concurrency: 32 });
  const { counts } = await evaluate({
    program: sorter,
    examples: shelfExamples(64),
    metric: rightShelf,
    lm,
    concurrency: 32,
    resamples: 0,
  });
  expect(counts).toEqual({ scored: 64, notApplicable: 0, unscored: 0, formatFailures: 0 });
});
