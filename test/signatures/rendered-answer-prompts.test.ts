import { textOfContent } from "espalier";
import { describe, expect, it } from "vitest";
import type { Text } from "espalier";
import { ailsAnswer } from "../../programs/ails-ntua/index.ts";

const question = "And what did it cost?";
const history = [
  { speaker: "user", text: "Does Ostrel have a bridge?" },
  { speaker: "assistant", text: "Yes, an iron footbridge over the river." },
] as const;
const passages = [
  { id: "p1", title: "Ostrel – buildings", text: "The footbridge cost nine thousand crowns." },
  { id: "p2", text: "Winters in Ostrel are long and wet." },
] as const;
const spans: readonly Text<"span">[] = ["The footbridge cost nine thousand crowns."];
const full = "What did the iron footbridge of Ostrel cost?";
const judged = { question: full, message: question, history };

/**
 * What each step of Tasks B and C of AILS-NTUA is given; the second writer sees what the first
 * sees.
 */
const given = {
  replyToRemark: { question: "Thanks!", history, maxWords: 50 },
  declineToAnswer: { question, maxWords: 25 },
  extractSpans: { question, history, passages, maxSpans: 8, notice: "" },
  writeAnswerA: { question, history, spans, style: "Factoid: give the fact.", targetWords: 85 },
  insistOnAnswer: { question, spans },
  judgeGrounding: {
    question,
    spans,
    answerA: "Nine thousand crowns.",
    wordsA: 3,
    overlapA: 0,
    answerB: "The footbridge cost nine thousand crowns.",
    wordsB: 6,
    overlapB: 100,
  },
  judgePreference: { question, history, answerA: "Nine thousand.", answerB: "A lot." },
  adjustAnswer: { answer: "Nine thousand.", problem: "It is too short.", spans },
  expandQuestion: { message: question, history },
  checkHistory: { question: full, history: history.slice(1) },
  writeCandidateAnswer: { question: full, history, spans, passages },
  judgeDocuments: { ...judged, passages },
  judgeSpans: { ...judged, spans },
  judgeAnswer: { ...judged, answer: "Nine thousand.", documentAnalysis: "The first tells it." },
  arbitrateVerdicts: {
    question: full,
    judgements: [
      { evidence: "passages", verdict: "UNANSWERABLE", confidence: 0.6 },
      { evidence: "sentences", verdict: "UNANSWERABLE", confidence: 0.55 },
      { evidence: "answer", verdict: "ANSWERABLE", confidence: 0.95 },
    ],
  },
  judgeAnswerability: { question, history, passages },
};

// A change of a golden file is a change of behaviour: review it as one.
describe("rendered prompts of generation and gate", () => {
  const answering = ailsAnswer();

  it.each(Object.keys(given) as (keyof typeof given)[])("of %s are as reviewed", async (name) => {
    const messages = answering.render(name, given[name]);
    const shown = messages.map(({ role, content }) => `===== ${role}\n${textOfContent(content)}\n`);
    const file = answering.predictors[name].signature.name;
    await expect(shown.join("\n")).toMatchFileSnapshot(`golden/${file}.txt`);
  });

  it("give the judges of the gate ten cases that set the scale", () => {
    for (const judge of ["judgeDocuments", "judgeSpans", "judgeAnswer"] as const) {
      const { instruction } = answering.predictors[judge];
      const cases = instruction.slice(instruction.indexOf("Cases that set the scale"));
      expect(cases.match(/^\d+\. .*\b(?:UN)?ANSWERABLE:/gm)).toHaveLength(10);
    }
  });

  it("name the target of extractiveness to the writer and to the technical judge", () => {
    expect(answering.predictors.writeAnswerA.instruction).toContain("35 %");
    expect(answering.predictors.judgeGrounding.instruction).toContain("28 to 45 %");
  });
});
