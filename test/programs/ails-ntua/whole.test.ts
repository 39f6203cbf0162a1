import { describe, expect, it } from "vitest";
import { ailsNtua } from "../../../programs/ails-ntua/index.ts";
import { asGiven, callsOf, fixedRetriever, pathsOf } from "../notes-guided/parts.ts";
import type { AnswerScript } from "./answer-steps.ts";
import { answerSteps, goodA, passages, question, unusable, verdictReply } from "./answer-steps.ts";

const answering = ailsNtua({ sparse: fixedRetriever("bm25", passages), reranker: asGiven }).with([
  { kind: "parameter", path: "userJudgeRate", value: 0 },
]);

async function attempted(
  script: AnswerScript,
  given: Partial<Parameters<typeof answering.attempt>[0]> = {},
) {
  await using server = await answerSteps(script);
  const input = { question, history: [], corpus: "clapnq", ...given } as const;
  const attempt = await answering.attempt(input, { lm: server.lm });
  if (attempt.state === "failed") throw attempt.error;
  return { ...attempt, asked: server.asked() };
}

describe("AILS-NTUA whole", () => {
  it("retrieves, judges the three best passages, and answers from their spans", async () => {
    const { output, trace } = await attempted({});
    expect(output).toMatchObject({ answer: goodA, route: "generated", verdict: "ANSWERABLE" });
    expect(output.passages.map(({ id }) => id)).toEqual(passages.map(({ id }) => id));
    const judged = callsOf(trace).find(({ path }) => path === "judgeDocuments");
    expect(judged?.kind === "predictor" && judged.inputs["passages"]).toMatchObject([
      { id: "p1" },
      { id: "p2" },
      { id: "p3" },
    ]);
    expect(pathsOf(trace)).toEqual([
      "bm25[minimal]",
      "asGiven[minimal]",
      "findEvidence",
      "writeCandidateAnswer",
      "judgeDocuments",
      "judgeSpans",
      "judgeAnswer",
      "extractSpans[first]",
      "writeAnswerA",
      "writeAnswerB",
      "judgeGrounding",
    ]);
  });

  it("refuses what the judges refuse, and shows the passages all the same", async () => {
    const refusing = () => verdictReply("UNANSWERABLE", 0.9);
    const { output } = await attempted({
      judgeDocuments: refusing,
      judgeSpans: refusing,
      judgeAnswer: refusing,
    });
    expect(output).toMatchObject({ route: "refusal", verdict: "UNANSWERABLE" });
    expect(output.passages).toHaveLength(7);
  });

  it("answers a later turn even when no rewriter can be used", async () => {
    const rewriters = [
      "rewriteMinimally",
      "rewriteForEncyclopedia",
      "rewriteStepByStep",
      "writeHypotheticalPassage",
      "rewriteWithKeywords",
    ];
    const { output, asked } = await attempted(
      Object.fromEntries(rewriters.map((name) => [name, unusable])),
      { history: [{ speaker: "user", text: "Tell me about Ostrel." }] },
    );
    expect(asked).toEqual(expect.arrayContaining(rewriters));
    expect(output.route).toBe("generated");
  });
});
