import type { Passage, Text, Turn } from "espalier";
import { pythonSplit } from "espalier/metric";
import type { GenerationInput } from "../generation/evidence.ts";
import { clean } from "../generation/clean.ts";
import { latestTurns } from "../latest-turns.ts";
import { cutText } from "../../support/cut-text.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { Judgements } from "./arbitrate.ts";
import { arbitrate } from "./arbitrate.ts";
import type { GateDecision } from "./gate-decision.ts";
import { judgeTurn } from "./judge-turn.ts";
import type { GateCall } from "./modules.ts";

/**
 * The answerability gate (section 3, Task C): expands the question, checks whether the conversation
 * alone answers it, then asks three judges (of the passages, the spans and a candidate answer) and
 * an arbiter.
 */
export async function threeJudges(given: GenerationInput, call: GateCall): Promise<GateDecision> {
  const { parameters } = call;
  const { history, passages } = given;
  const question = await inFull(given, call);
  const sufficiency = await historyAnswers(question, history, call);
  if (sufficiency !== null) {
    return { verdict: "ANSWERABLE", confidence: sufficiency, rule: "history" };
  }
  const spans = await findEvidence({ question, history, passages }, call);
  const judgements = await judgeTurn(
    {
      message: given.question,
      question,
      history,
      passages,
      spans,
      answer: await candidateAnswer({ question, history, passages }, spans, call),
    },
    call,
  );
  call.note("judgements", {
    documents: { ...judgements.documents },
    spans: { ...judgements.spans },
    answer: { ...judgements.answer },
  });
  const byRule = arbitrate(judgements, {
    overrideConfidence: parameters.overrideConfidence,
    overrideFactor: parameters.overrideFactor,
    boostConfidence: parameters.boostConfidence,
    boostWeight: parameters.boostWeight,
    majorityFactor: {
      ANSWERABLE: parameters.answerableFactor,
      UNANSWERABLE: parameters.unanswerableFactor,
    },
    tieFactor: parameters.tieFactor,
  });
  return parameters.arbiter === "rule" ? byRule : byLm({ question, judgements, byRule }, call);
}

/** The arbiter's verdict; the rule's if its reply is unreadable. */
async function byLm(
  {
    question,
    judgements: { documents, spans, answer },
    byRule,
  }: {
    readonly question: Text<"question">;
    readonly judgements: Judgements;
    readonly byRule: GateDecision;
  },
  { predictors }: GateCall,
): Promise<GateDecision> {
  const reply = predictors.arbitrateVerdicts({
    question,
    judgements: [
      { evidence: "passages", ...documents },
      { evidence: "sentences", ...spans },
      { evidence: "answer", ...answer },
    ],
  });
  const weighed = await unlessUnreadable(reply, () => null);
  if (weighed === null) return byRule;
  return { verdict: weighed.verdict, confidence: weighed.confidence, rule: "arbiter" };
}

/** Expands a short message of a conversation to a standalone question. */
async function inFull(
  { question, history }: GenerationInput,
  call: GateCall,
): Promise<Text<"question">> {
  const { shortMessageWords, expansionTurns, shortExpansionCharacters } = call.parameters;
  const turns = latestTurns(history, expansionTurns);
  if (turns.length === 0 || pythonSplit(question).length > shortMessageWords) return question;
  // The message as typed has a different role here than the question derived from it.
  const message: string = question;
  const reply = call.predictors.expandQuestion({ message, history: turns });
  const expanded = clean((await unlessUnreadable(reply, () => ({ question: "" }))).question);
  const isKept = Array.from(expanded).length >= Math.max(1, shortExpansionCharacters);
  call.note("expandedQuestion", isKept ? expanded : "dropped");
  return isKept ? expanded : question;
}

/**
 * The confidence that the conversation already answers; `null` if it does not, or if the confidence
 * is too low.
 */
async function historyAnswers(
  question: Text<"question">,
  history: readonly Turn[],
  { predictors, parameters }: GateCall,
): Promise<number | null> {
  const replies = history.filter(({ speaker }) => speaker === "assistant");
  const latest = latestTurns(replies, parameters.historyReplies);
  if (latest.length === 0) return null;
  const reply = predictors.checkHistory({ question, history: latest });
  const { holdsAnswer, confidence } = await unlessUnreadable(reply, () => ({
    holdsAnswer: false,
    confidence: 0,
  }));
  return holdsAnswer && confidence >= parameters.historyConfidence ? confidence : null;
}

async function findEvidence(
  { question, history, passages }: GenerationInput,
  { predictors, parameters }: GateCall,
): Promise<readonly Text<"span">[]> {
  const { evidenceSpans, evidenceTurns, evidenceCharacters } = parameters;
  const reply = predictors.findEvidence({
    question,
    history: latestTurns(history, evidenceTurns),
    passages: cutPassages(passages, evidenceCharacters),
    maxSpans: evidenceSpans,
    notice: "",
  });
  const { spans } = await unlessUnreadable(reply, () => ({ spans: [] }));
  return spans.slice(0, evidenceSpans).map(({ sentence }) => sentence);
}

/** An answer to judge; an unusable reply counts as an empty one, which is a refusal. */
async function candidateAnswer(
  { question, history, passages }: GenerationInput,
  spans: readonly Text<"span">[],
  { predictors, parameters }: GateCall,
): Promise<Text<"answer">> {
  const reply = predictors.writeCandidateAnswer({
    question,
    history: latestTurns(history, parameters.judgeTurns),
    spans,
    passages: cutPassages(passages, parameters.candidateCharacters),
  });
  return clean((await unlessUnreadable(reply, () => ({ answer: "" }))).answer);
}

function cutPassages(passages: readonly Passage[], characters: number): readonly Passage[] {
  return passages.map((passage) => ({ ...passage, text: cutText(passage.text, characters) }));
}
