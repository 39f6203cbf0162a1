import { connectPairScorer, connectReranker } from "espalier/lm";
import { expect } from "vitest";
import { thrownBy } from "../../support/thrown-by.ts";
import { test } from "../support/vllm-test.ts";

const once = { retry: { attempts: 1 } };
const query = "Where is the lighthouse?";
const documents = [
  "A lighthouse stands on the rock.",
  "Trains run on time.",
  "The river floods in spring.",
];

test("a pair scorer scores each document, in the order sent", async ({ reranker }) => {
  const scorer = connectPairScorer({ ...reranker, ...once });
  const { scores, usage } = await scorer.doScore({ query, documents });
  expect(scores).toHaveLength(3);
  expect(new Set(scores).size).toBe(3);
  expect(usage.promptTokens).toBeGreaterThan(20);
  const reversed = await scorer.doScore({ query, documents: documents.toReversed() });
  for (const [index, score] of reversed.scores.toReversed().entries()) {
    expect(score).toBeCloseTo(scores[index]!, 3);
  }
});

test("a reranker orders documents by the pair scorer's scores", async ({ reranker }) => {
  const { scores } = await connectPairScorer({ ...reranker, ...once }).doScore({
    query,
    documents,
  });
  const { results } = await connectReranker({ ...reranker, ...once }).doRerank({
    query,
    documents,
  });
  const best = scores.map((score, index) => ({ score, index }));
  best.sort((one, other) => other.score - one.score);
  expect(results.map(({ index }) => index)).toEqual(best.map(({ index }) => index));
  const two = await connectReranker({ ...reranker, ...once }).doRerank({
    query,
    documents,
    topN: 2,
  });
  expect(two.results.map(({ index }) => index)).toEqual(best.slice(0, 2).map(({ index }) => index));
});

test("too long a document is a context overflow", async ({ reranker }) => {
  const asked = { query, documents: ["word ".repeat(2000), "short"] };
  for (const ask of [
    () => connectReranker({ ...reranker, ...once }).doRerank(asked),
    () => connectPairScorer({ ...reranker, ...once }).doScore(asked),
  ]) {
    expect((await thrownBy(ask)).code).toBe("lm-context-overflow");
  }
});
