import { expect, test } from "vitest";
import type { MetricArguments } from "../../src/contract/index.ts";
import type { RankedId, RelevantGrades } from "../../src/metric/index.ts";
import { retrievalNdcg, retrievalRecall } from "../../src/metric/index.ts";

type Labels = { readonly relevant?: RelevantGrades };

const sides = { k: 2, ranked: "passages", relevant: "relevant" } as const;

function judged(
  relevant: RelevantGrades | undefined,
  ids: readonly string[],
): MetricArguments<unknown, { readonly passages: readonly RankedId[] }, Labels> {
  const passages = ids.map((id, index) => ({ id, score: -index }));
  return {
    example: { id: "e", input: {}, labels: relevant === undefined ? {} : { relevant } },
    output: { passages },
    trace: {
      program: "p",
      version: "1",
      input: {},
      notes: {},
      children: [],
      startedAtMs: 0,
      latencyMs: 0,
    },
  };
}

test("scores a ranking and says which relevant passages were found and which are missing", () => {
  const score = retrievalRecall(sides).doScore(judged({ a: 1, b: 2, c: 1, d: 0 }, ["d", "b", "a"]));
  expect(score).toMatchInlineSnapshot(`
    {
      "feedback": "Found 1 of 3 relevant passages among the first 2 of 3; found: b (rank 2); missing: a (rank 3), c (not retrieved).",
      "kind": "scored",
      "value": 0.3333333333333333,
    }
  `);
});

test("weighs ranks in nDCG", () => {
  const { doScore } = retrievalNdcg(sides);
  expect(doScore(judged({ a: 1 }, ["x", "a"]))).toMatchObject({ value: 1 / Math.log2(3) });
});

test("does not apply to an example without judged passages", () => {
  const { doScore } = retrievalRecall(sides);
  const expected = { kind: "not-applicable", reason: "No passage was judged." };
  expect(doScore(judged(undefined, ["a"]))).toEqual(expected);
  expect(doScore(judged({}, ["a"]))).toEqual(expected);
});

test("counts a run that failed as 0 where passages were judged, and nowhere else", () => {
  const failure = { kind: "format", code: "output-empty", message: "Empty." } as const;
  const { scoreFormatFailure } = retrievalRecall(sides);
  const unjudged = judged(undefined, []).example;
  expect(scoreFormatFailure(failure, judged({ a: 1 }, []).example)).toMatchObject({ value: 0 });
  expect(scoreFormatFailure(failure, unjudged)).toMatchObject({ kind: "not-applicable" });
});

test("counts an empty ranking, and judgements without a relevant passage, as 0", () => {
  const { doScore } = retrievalRecall(sides);
  expect(doScore(judged({ a: 1 }, []))).toMatchObject({
    kind: "scored",
    value: 0,
    feedback: "Found 0 of 1 relevant passages among the first 2 of 0; missing: a (not retrieved).",
  });
  expect(doScore(judged({ a: 0 }, ["a"]))).toMatchObject({ kind: "scored", value: 0 });
});

test("is named as in pytrec_eval", () => {
  expect([retrievalRecall(sides).name, retrievalNdcg(sides).name]).toEqual([
    "recall_2",
    "ndcg_cut_2",
  ]);
});

test("blames as the rule given says", () => {
  const metric = retrievalRecall({
    ...sides,
    blame: ({ value, ranked }) => [
      { path: "writeQuery", score: value, text: `It found ${ranked.length}.` },
    ],
  });
  expect(metric.doScore(judged({ a: 1 }, ["a"]))).toMatchObject({
    blame: [{ path: "writeQuery", score: 1, text: "It found 1." }],
  });
});
