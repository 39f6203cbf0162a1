export type Verdict = "ANSWERABLE" | "UNANSWERABLE";

export interface Judgement {
  readonly verdict: Verdict;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** The verdict of each of the three judges. */
export interface Judgements {
  readonly documents: Judgement;
  readonly spans: Judgement;
  readonly answer: Judgement;
}

export interface Arbitration extends Judgement {
  /** The rule that decided. */
  readonly rule: "unanimous" | "majority" | "override" | "tie";
}

export interface ArbiterSettings {
  /** From this confidence on, the answer judge alone overrules the other two. */
  readonly overrideConfidence: number;
  readonly overrideFactor: number;
  /** From this confidence on, the span judge's vote has a weight other than 1. */
  readonly boostConfidence: number;
  readonly boostWeight: number;
  /** Factor on the mean confidence if one judge dissents, by verdict. */
  readonly majorityFactor: Readonly<Record<Verdict, number>>;
  /** Factor on the span judge's confidence if it breaks a tie. */
  readonly tieFactor: number;
}

export const authorsArbiter: ArbiterSettings = {
  overrideConfidence: 0.92,
  overrideFactor: 0.78,
  boostConfidence: 0.9,
  boostWeight: 1.5,
  majorityFactor: { ANSWERABLE: 0.9, UNANSWERABLE: 0.85 },
  tieFactor: 0.8,
};

/**
 * The arbiter (section 3, Task C): a very confident answer judge overrides the other two; otherwise
 * the weighted majority decides. The authors' weight of 1.5 has no effect: 1.5 against 2, or 2.5
 * against 1, gives the same majority, and ties cannot occur. Only weights of 2 or more matter.
 */
export function arbitrate(
  { documents, spans, answer }: Judgements,
  settings: ArbiterSettings = authorsArbiter,
): Arbitration {
  const judges = [documents, spans, answer];
  const isOverridden =
    documents.verdict === "UNANSWERABLE" &&
    spans.verdict === "UNANSWERABLE" &&
    answer.verdict === "ANSWERABLE" &&
    answer.confidence >= settings.overrideConfidence;
  if (isOverridden) {
    const confidence = answer.confidence * settings.overrideFactor;
    return { verdict: "ANSWERABLE", confidence, rule: "override" };
  }
  const spansWeight = spans.confidence >= settings.boostConfidence ? settings.boostWeight : 1;
  const votesFor = (verdict: Verdict): number =>
    (documents.verdict === verdict ? 1 : 0) +
    (spans.verdict === verdict ? spansWeight : 0) +
    (answer.verdict === verdict ? 1 : 0);
  const lead = votesFor("ANSWERABLE") - votesFor("UNANSWERABLE");
  if (lead === 0) {
    const confidence = spans.confidence * settings.tieFactor;
    return { verdict: spans.verdict, confidence, rule: "tie" };
  }
  const verdict = lead > 0 ? "ANSWERABLE" : "UNANSWERABLE";
  const mean = judges.reduce((sum, { confidence }) => sum + confidence, 0) / judges.length;
  return judges.every((judge) => judge.verdict === verdict)
    ? { verdict, confidence: mean, rule: "unanimous" }
    : { verdict, confidence: mean * settings.majorityFactor[verdict], rule: "majority" };
}
