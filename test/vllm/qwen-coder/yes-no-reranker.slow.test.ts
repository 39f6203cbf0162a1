import { yesNoReranker } from "espalier/retrieval";
import { expect } from "vitest";
import { lmAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

/** Each query with the passage that answers it. */
const answered: readonly (readonly [query: string, passage: string])[] = [
  ["Where is the lighthouse?", "The lighthouse stands on the western pier."],
  ["When does the library open?", "The library opens at nine on weekdays."],
  ["Who painted the ceiling of the chapel?", "The chapel's ceiling was painted by Ida Holm."],
  ["How much does a ticket to the island cost?", "A ticket to the island costs 12 crowns."],
  ["Why was the bridge closed?", "The bridge was closed because its pillars had cracks."],
  ["What do bees collect?", "Bees collect nectar and pollen."],
];

test("the passage that answers a query is the likeliest yes, most often", async ({
  qwenCoder,
  skip,
}) => {
  skip(!qwenCoder.isTrained, "no trained weights");
  await using lm = lmAt(qwenCoder, { concurrency: 16 });
  const passages = answered.map(([, text], index) => ({ id: `p${index}`, text }));
  const ranks = await Promise.all(
    answered.map(async ([query], index) => {
      const ranked = await yesNoReranker({ lm }).doRerank({ query, passages, k: 6 }, {});
      return ranked.findIndex(({ id }) => id === `p${index}`) + 1;
    }),
  );
  // By chance, one of six is first.
  expect(ranks.filter((rank) => rank === 1).length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...ranks)).toBeLessThanOrEqual(3);
});
