import { describe, expect, it } from "vitest";
import type { Score, Scored } from "espalier";
import { citedAnswer, r2rag } from "../../../programs/r2rag/index.ts";
import type { Script } from "./town.ts";
import { page, question, town } from "./town.ts";

const passages = ["a", "b", "c"].map((id) => ({ id, text: `Text of ${id}.` }));
const objective = citedAnswer({ passageOf: (id) => passages.find((each) => each.id === id) });

interface Case {
  readonly answer: string;
  readonly context?: readonly string[];
  readonly relevant?: readonly string[];
}

const emptyTrace = {
  program: "p",
  version: "1",
  input: {},
  notes: {},
  children: [],
  startedAtMs: 0,
  latencyMs: 0,
};

function scoreOf({ answer, context = ["a", "b", "c"], relevant = ["a", "b"] }: Case): Scored {
  const labels = {
    answers: ["1902", "in the year 1902"],
    relevant: Object.fromEntries(relevant.map((id) => [id, 1])),
  };
  const citations = context.map((id) => ({ id, text: "", score: 1 }));
  const score = objective.doScore({
    example: { id: "e", input: { question }, labels },
    output: { answer, citations },
    trace: emptyTrace,
  }) as Score;
  if (score.kind !== "scored") throw new Error("not scored");
  return score;
}

describe("the metric of answers with citations", () => {
  it.each([
    // answer, F1 of the answer, precision, recall, value
    ["1902 [1][2].", 1, 1, 1, 1],
    ["1902 [1, 2]", 1, 1, 1, 1],
    ["1902 [1].", 1, 1, 1 / 2, (1 + 2 / 3) / 2],
    ["1902 [1][3][1].", 1, 1 / 2, 1 / 2, (1 + 1 / 2) / 2],
    ["1902 [3].", 1, 0, 0, 1 / 2],
    ["1902.", 1, 0, 0, 1 / 2],
    ["1902 [1][2][9].", 1, 2 / 3, 1, (1 + 4 / 5) / 2],
    ["Unknown [1][2].", 0, 1, 1, 1 / 2],
    ["Built 1902 [1][2].", 2 / 3, 1, 1, (2 / 3 + 1) / 2],
  ] as const)("scores %j", (answer, answerF1, precision, recall, value) => {
    const score = scoreOf({ answer });
    expect(score.value).toBeCloseTo(value, 12);
    expect(score.objectives?.["answer_f1"]).toBeCloseTo(answerF1, 12);
    expect(score.objectives?.["citation_precision"]).toBeCloseTo(precision, 12);
    expect(score.objectives?.["citation_recall"]).toBeCloseTo(recall, 12);
  });

  it("weighs the answer as it is told", () => {
    const only = citedAnswer({ answerShare: 1 }).doScore({
      example: { id: "e", input: { question }, labels: { answers: ["1902"], relevant: { a: 1 } } },
      output: { answer: "1902", citations: [] },
      trace: emptyTrace,
    });
    expect(only).toMatchObject({ value: 1 });
  });

  it("judges the answer alone where no document is relevant", () => {
    expect(scoreOf({ answer: "1902 [1]", relevant: [] })).toMatchObject({
      value: 1,
      objectives: { answer_f1: 1, citation_precision: 0, citation_recall: 1 },
    });
    expect(scoreOf({ answer: "1902", relevant: [] })).toMatchObject({
      objectives: { citation_precision: 1 },
    });
  });

  it("does not apply where no answer is known", () => {
    const score = objective.doScore({
      example: { id: "e", input: { question }, labels: { answers: [], relevant: {} } },
      output: { answer: "1902", citations: [] },
      trace: emptyTrace,
    });
    expect(score).toMatchObject({ kind: "not-applicable" });
  });

  it("says what was expected, what is cited in vain, and what is missing", () => {
    const { feedback } = scoreOf({ answer: "In 1903 [2][7].", context: ["b", "c"] });
    expect(feedback).toMatchInlineSnapshot(`
      "Question: When was the bridge finished?
      Expected answer: 1902 | in the year 1902
      Answer: In 1903 [2][7].
      Answer F1: 0.400
      Citations: 1 documents, 0 of them relevant, of 2 that are.
      Relevant, at hand, and without a citation: Text of b.
      Cited without need: Text of c.
      Numbers of no document: 7
      Missing relevant documents:
      - Text of a."
    `);
    const { blame } = scoreOf({ answer: "In 1902." });
    expect(blame).toMatchObject([
      {
        path: "writeCitedAnswer",
        text: expect.stringContaining("without a citation: Text of a.; Text of b."),
      },
    ]);
  });

  it("blames each step of a run for its own part", async () => {
    const script: Script = {
      steps: {
        "judge-complexity": () => ({ isComplex: true }),
        "vary-query": () => ({ queries: [] }),
        "review-documents": (round) => ({
          useful: round === 1 ? [1] : [4],
          summary: "They tell.",
          isSufficient: round === 2,
          newQuery: round === 1 ? "more" : "",
        }),
      },
      search: (query) => (query === "more" ? [page("d")] : ["a", "b"].map((id) => page(id))),
    };
    await using there = await town(script);
    const attempt = await r2rag(there.parts).attempt({ question }, there);
    if (attempt.state === "failed") throw attempt.error;
    const blameOf = (route: string) => {
      const score = citedAnswer().doScore({
        example: {
          id: "e",
          input: { question },
          labels: { answers: ["1902"], relevant: { a: 1, b: 1, c: 1 }, route },
        },
        output: attempt.output,
        trace: attempt.trace,
      }) as Scored;
      return score.blame?.map(({ path, score, text }) => [path, score, text]);
    };
    expect(blameOf("complex")).toMatchInlineSnapshot(`
      [
        [
          "judgeComplexity",
          1,
          "Rightly judged complex: the question needs more than one search.",
        ],
        [
          "round[1]/varyQueryAtOnce",
          0.6666666666666666,
          "The searches with these queries found 2 of 3 relevant documents that were to be found.
      Missing relevant documents:
      - c",
        ],
        [
          "round[1]/reviewDocuments",
          0.5,
          "Of 2 relevant documents that this round found 1 were kept. Left out: b.",
        ],
        [
          "round[2]/varyQueryAtOnce",
          0,
          "The searches with these queries found 0 of 1 relevant documents that were to be found.
      Missing relevant documents:
      - c",
        ],
        [
          "round[2]/reviewDocuments",
          0.5,
          "Called sufficient too early: 2 relevant documents were still missing.",
        ],
        [
          "writeCitedAnswer",
          0.4166666666666667,
          "Expected answer: 1902
      Answer: It was finished in 1902 [1].
      Answer F1: 0.333
      The answer is too long: 5 words, where 1 were expected.
      Citations: 1 documents, 1 of them relevant, of 3 that are.",
        ],
      ]
    `);
    expect(blameOf("single-step")?.[0]).toEqual([
      "judgeComplexity",
      0,
      "Wrongly judged complex: the question is answered by one search.",
    ]);
  });
});
