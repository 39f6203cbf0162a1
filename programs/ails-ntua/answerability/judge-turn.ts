import type { Passage, Text, Turn } from "espalier";
import { isRefusalWithoutData } from "../generation/phrases.ts";
import { latestTurns } from "../latest-turns.ts";
import { cutText } from "../../support/cut-text.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { Judgement, Judgements, Verdict } from "./arbitrate.ts";
import type { GateCall } from "./modules.ts";
import { newEntities } from "./new-entities.ts";

/** Everything that the judges read. */
export interface JudgedTurn {
  readonly message: Text<"question">;
  /** The expanded message, or the message itself. */
  readonly question: Text<"question">;
  readonly history: readonly Turn[];
  readonly passages: readonly Passage[];
  readonly spans: readonly Text<"span">[];
  readonly answer: Text<"answer">;
}

interface Analysed extends Judgement {
  readonly analysis: Text<"analysis">;
}

/**
 * The verdicts of the three judges. A name that occurs nowhere else decides for the first two
 * without asking them; the third receives the first one's analysis.
 */
export async function judgeTurn(turn: JudgedTurn, call: GateCall): Promise<Judgements> {
  const shown = {
    question: turn.question,
    message: turn.message as string,
    history: latestTurns(turn.history, call.parameters.judgeTurns),
  };
  const names = guarded(turn);
  if (names.length > 0) call.note("newEntities", names);
  const unasked: Analysed = {
    verdict: "UNANSWERABLE",
    confidence: call.parameters.newEntityConfidence,
    analysis: `Named nowhere in the passages or the conversation: ${names.join(", ")}.`,
  };
  const first = names.length > 0 ? Promise.resolve(unasked) : judgeDocuments();
  const second = names.length > 0 ? Promise.resolve(unasked) : judgeSpans();
  const [documents, spans, answer] = await Promise.all([first, second, first.then(judgeAnswer)]);
  return { documents: judgementOf(documents), spans: judgementOf(spans), answer };

  function judgeDocuments(): Promise<Analysed> {
    const passages = turn.passages.map((passage) => ({
      ...passage,
      text: cutText(passage.text, call.parameters.documentCharacters),
    }));
    const reply = call.predictors.judgeDocuments({ ...shown, passages });
    return unlessUnreadable(reply, () => defaultOf("documents", "ANSWERABLE"));
  }

  function judgeSpans(): Promise<Analysed> {
    const reply = call.predictors.judgeSpans({ ...shown, spans: turn.spans });
    return unlessUnreadable(reply, () =>
      defaultOf("spans", turn.spans.length === 0 ? "UNANSWERABLE" : "ANSWERABLE"),
    );
  }

  async function judgeAnswer({ analysis }: Analysed): Promise<Judgement> {
    const { candidateRefusalLimit, refusedAnswerConfidence } = call.parameters;
    const isRefusal = isRefusalWithoutData(turn.answer, candidateRefusalLimit);
    const verdict = isRefusal ? "UNANSWERABLE" : "ANSWERABLE";
    const reply = call.predictors.judgeAnswer({
      ...shown,
      answer: turn.answer,
      documentAnalysis: analysis,
    });
    const judged = await unlessUnreadable(reply, () => null);
    if (judged === null) return judgementOf(defaultOf("answer", verdict));
    if (!isRefusal) return judgementOf(judged);
    return { verdict, confidence: Math.max(judged.confidence, refusedAnswerConfidence) };
  }

  function defaultOf(judge: keyof Judgements, verdict: Verdict): Analysed {
    call.note(`${judge}Judge`, `unusable, so ${verdict}`);
    return { verdict, confidence: call.parameters.defaultConfidence, analysis: "" };
  }
}

/**
 * The names that make the first two judges unnecessary; only for a message that had to be expanded.
 */
function guarded({ message, question, history, passages, spans }: JudgedTurn): readonly string[] {
  if (message === question || spans.length > 0) return [];
  return newEntities(message, [
    ...history.map(({ text }) => text),
    ...passages.map(({ text }) => text),
  ]);
}

function judgementOf({ verdict, confidence }: Judgement): Judgement {
  return { verdict, confidence };
}
