import { yesNoReranker } from "espalier/retrieval";
import { expect } from "vitest";
import { lmAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

test("passages are ranked by the probability of a yes", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const texts = ["A lighthouse stands on the rock.", "Trains run on time.", "The river floods."];
  const ranked = await yesNoReranker({ lm }).doRerank(
    {
      query: "Where is the lighthouse?",
      passages: texts.map((text, index) => ({ id: `p${index}`, text })),
      k: 3,
    },
    {},
  );
  expect(ranked.map(({ id }) => id).toSorted()).toEqual(["p0", "p1", "p2"]);
  const scores = ranked.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(new Set(scores).size).toBe(3);
  for (const score of scores) expect(Math.abs(score - 0.5)).toBeLessThan(0.5);
});
