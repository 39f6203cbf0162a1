import { answerTokens } from "./squad.ts";
import type { TokenOverlap } from "./token-overlap.ts";
import { overlapOf } from "./token-overlap.ts";

const closedAnswers = new Set(["yes", "no", "noanswer"]);

/**
 * Token overlap as HotpotQA's own script computes it (`hotpot_evaluate_v1.py`). It differs from
 * SQuAD's in two ways: if either side is "yes", "no" or "noanswer" and the two differ, everything
 * is 0; and two empty sides also give 0.
 */
export function hotpotOverlapOf(prediction: string, gold: string): TokenOverlap {
  const predicted = answerTokens(prediction);
  const wanted = answerTokens(gold);
  const [left, right] = [predicted.join(" "), wanted.join(" ")];
  const isClosed = closedAnswers.has(left) || closedAnswers.has(right);
  return isClosed && left !== right ? overlapOf([], []) : overlapOf(predicted, wanted);
}

/** HotpotQA's own F1 against the best gold answer, in [0, 1]. See `tokenF1Of` for SQuAD's. */
export function hotpotF1Of(prediction: string, golds: readonly string[]): number {
  return Math.max(0, ...golds.map((gold) => hotpotOverlapOf(prediction, gold).f1));
}
