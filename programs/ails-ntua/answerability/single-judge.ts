import type { GenerationInput } from "../generation/evidence.ts";
import { latestTurns } from "../latest-turns.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { GateDecision } from "./gate-decision.ts";
import { keywordOverlap } from "./keyword-overlap.ts";
import type { GateCall } from "./modules.ts";

/**
 * The baseline with one judge (appendix D.3). It is asked only if few words of the question occur
 * in the passages, and every unclear case is ANSWERABLE. Its labels have no confidence and count as
 * certain.
 */
export async function singleJudge(
  { question, history, passages }: GenerationInput,
  { predictors, parameters }: GateCall,
): Promise<GateDecision> {
  const decided = (verdict: GateDecision["verdict"], rule: string): GateDecision => ({
    verdict,
    confidence: 1,
    rule,
  });
  if (passages.length === 0) return decided("UNANSWERABLE", "no passages");
  const texts = passages.map(({ text }) => text);
  const overlap = keywordOverlap(question, texts);
  if (overlap !== null && overlap > parameters.keywordOverlap) {
    return decided("ANSWERABLE", "keywords of the question");
  }
  const reply = predictors.judgeAnswerability({
    question,
    history: latestTurns(history, parameters.singleJudgeTurns),
    passages,
  });
  const judged = await unlessUnreadable(reply, () => null);
  if (judged === null) return decided("ANSWERABLE", "unusable reply of the judge");
  return judged.label === "UNANSWERABLE" && judged.confidence === "LOW"
    ? decided("ANSWERABLE", "unsure refusal of the judge")
    : decided(judged.label, "judge");
}
