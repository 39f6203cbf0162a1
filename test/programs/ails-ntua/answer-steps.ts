import type { Passage, Turn } from "espalier";
import type { ReceivedRequest, ScriptedLm, ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

/** What a predictor of Task B or C replies; `round` counts its requests, from 1. */
export type AnswerScript = Readonly<
  Record<
    string,
    (request: ReceivedRequest, round: number) => ScriptedReply | Promise<ScriptedReply>
  >
>;

export interface AnswerSteps extends ScriptedLm {
  /** The predictors that were asked, in order. */
  asked(): readonly string[];
  /** Every request of one predictor, in order. */
  requestsOf(predictor: string): readonly ReceivedRequest[];
}

/** A server that replies sensibly to every step of Tasks B and C, and as the test says to some. */
export async function answerSteps(script: AnswerScript = {}): Promise<AnswerSteps> {
  const replies: AnswerScript = { ...sensible, ...script };
  const rounds = new Map<string, number>();
  const server = await scriptedLm((request) => {
    const predictor = predictorOf(request);
    const round = (rounds.get(predictor) ?? 0) + 1;
    rounds.set(predictor, round);
    const reply = replies[predictor];
    if (reply === undefined) throw new Error(`The script has no step "${predictor}".`);
    return reply(request, round);
  });
  return {
    ...server,
    asked: () => server.received.map(predictorOf),
    requestsOf: (predictor) =>
      server.received.filter((request) => predictorOf(request) === predictor),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Two steps each share a signature; they differ by what they are sampled with. */
function predictorOf(request: ReceivedRequest): string {
  const name = request.response_format?.json_schema.name ?? "";
  if (name === "write-grounded-answer") {
    return request["temperature"] === 0 ? "writeAnswerA" : "writeAnswerB";
  }
  if (name === "extract-spans") {
    return request["max_completion_tokens"] === 800 ? "findEvidence" : "extractSpans";
  }
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export const question = "When was the iron footbridge of Ostrel finished, and at what cost?";

export const history: readonly Turn[] = Array.from({ length: 9 }, (_, index) => ({
  speaker: index % 2 === 0 ? "user" : "assistant",
  text: `turn ${index + 1}`,
}));

export const passages: readonly Passage[] = Array.from({ length: 7 }, (_, index) => ({
  id: `p${index + 1}`,
  title: `Passage ${index + 1}`,
  text: `text ${index + 1}`,
}));

/** 20 words, and so 17 4-grams. */
export const span =
  "The iron footbridge of Ostrel was finished in 1902 by the firm of Hallam at nine thousand crowns in all";

/** Words that stand in no span. */
export const filler = (count: number, word = "so"): string =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

/** 56 words with the span in it: 17 of 53 4-grams, a share of .32. Nothing to mend. */
export const goodA = `${span} ${filler(36, "more")}`;
export const goodB = `${span} ${filler(36, "other")}`;

export const spansReply = (sentences: readonly string[]): string =>
  JSON.stringify({ spans: sentences.map((sentence) => ({ passage: 1, sentence })) });
export const answerReply = (answer: string): string => JSON.stringify({ answer });
export const scoresReply = (scoreA: number, scoreB: number): string =>
  JSON.stringify({ winner: scoreA >= scoreB ? "A" : "B", scoreA, scoreB });
export const preferenceReply = (preferred: string, confidence: string): string =>
  JSON.stringify({ preferred, confidence });
export const adjustedReply = (adjusted: string): string => JSON.stringify({ adjusted });
export const verdictReply = (verdict: string, confidence: number, analysis = "seen"): string =>
  JSON.stringify({ analysis, verdict, confidence });

/** A reply that is no JSON: a parse failure. */
export const unusable = (): ScriptedReply => "I would rather not.";

const sensible: AnswerScript = {
  replyToRemark: () => answerReply("You are welcome."),
  declineToAnswer: () => answerReply("The information is not available."),
  extractSpans: () => spansReply([span]),
  writeAnswerA: () => answerReply(goodA),
  writeAnswerB: () => answerReply(goodB),
  insistOnAnswer: () => answerReply("In 1902."),
  judgeGrounding: () => scoresReply(7, 7),
  judgePreference: () => preferenceReply("A", "MEDIUM"),
  adjustAnswer: () => adjustedReply(filler(40, "mended")),
  expandQuestion: () => JSON.stringify({ question: "What did the footbridge cost to build?" }),
  checkHistory: () => JSON.stringify({ holdsAnswer: false, confidence: 0.9 }),
  findEvidence: () => spansReply([span]),
  writeCandidateAnswer: () => answerReply("It was finished in 1902."),
  judgeDocuments: () => verdictReply("ANSWERABLE", 0.9, "the passages say it"),
  judgeSpans: () => verdictReply("ANSWERABLE", 0.9),
  judgeAnswer: () => verdictReply("ANSWERABLE", 0.9),
  arbitrateVerdicts: () => verdictReply("ANSWERABLE", 0.8),
  judgeAnswerability: () => JSON.stringify({ label: "ANSWERABLE", confidence: "HIGH" }),
};
