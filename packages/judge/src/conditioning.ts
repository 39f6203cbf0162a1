import { EspalierError } from "../../../src/index.ts";

/** Whether the passages can answer the question, in MTRAG's labels. */
export type Answerability =
  | "ANSWERABLE"
  | "PARTIAL"
  | "UNANSWERABLE"
  | "CONVERSATIONAL"
  | "UNDERSPECIFIED";

/** Whether a response says that it cannot answer: 1 yes, 0 no, 0.5 in part. */
export type IdkVerdict = 1 | 0.5 | 0 | "unknown";

/** Whether a response asks what was meant: 1 yes, 0 no, 0.5 unclear. */
export type ClarificationVerdict = 1 | 0.5 | 0;

interface ConditioningCase {
  /** The metric's raw value; `null` where it does not apply. */
  readonly raw: number | null;
  /** `undefined` without a label, which the official script treats as answerable. */
  readonly answerability: Answerability | undefined;
  readonly idk: IdkVerdict;
  readonly clarification: ClarificationVerdict;
}

/**
 * A generation metric conditioned on abstention, exactly as in `judge_wrapper.py` of IBM's
 * mt-rag-benchmark (commit cc5b1d4, April 2026):
 *
 * | ground truth | verdict | conditioned |
 * | --- | --- | --- |
 * | UNDERSPECIFIED | clarification 1 | 1 |
 * | UNDERSPECIFIED | clarification 0 or 0.5 | 0 |
 * | UNANSWERABLE, CONVERSATIONAL | idk 1 | 1 |
 * | UNANSWERABLE, CONVERSATIONAL | idk 0 or 0.5 | 0 |
 * | UNANSWERABLE, CONVERSATIONAL | idk unknown | raw |
 * | ANSWERABLE, PARTIAL, no label | idk 1 | 0 |
 * | ANSWERABLE, PARTIAL, no label | idk 0, 0.5 or unknown | raw |
 *
 * So a partial "I do not know" costs nothing where there is an answer. NLP-CEIA-UFG (SemEval-2026
 * Task 8) states that any verdict of 0.5 or more counts as abstention, which is not the case.
 */
export function conditioned({
  raw,
  answerability,
  idk,
  clarification,
}: ConditioningCase): number | null {
  if (answerability === "UNDERSPECIFIED") return clarification === 1 ? 1 : 0;
  if (answerability === "UNANSWERABLE" || answerability === "CONVERSATIONAL") {
    return idk === "unknown" ? raw : idk === 1 ? 1 : 0;
  }
  return idk === 1 ? 0 : raw;
}

const known: readonly Answerability[] = [
  "ANSWERABLE",
  "PARTIAL",
  "UNANSWERABLE",
  "CONVERSATIONAL",
  "UNDERSPECIFIED",
];

/**
 * The label of an MTRAG record, whose files spell the key `answerability` or `Answerability` and
 * hold a list with one item. A script that knows only one spelling finds no label in the other
 * files and then scores every correct refusal 0.
 *
 * Throws `metric-failed` if neither key holds a known label.
 */
export function answerabilityOf(record: Readonly<Record<string, unknown>>): Answerability {
  const held = record["answerability"] ?? record["Answerability"];
  const given: unknown = Array.isArray(held) ? held[0] : held;
  const label = known.find((name) => name === given);
  if (label !== undefined) return label;
  throw new EspalierError({
    code: "metric-failed",
    problem: "A record has no answerability label",
    expected: `\`answerability\` or \`Answerability\`: ${known.join(", ")}`,
    got: given === undefined ? `keys ${Object.keys(record).join(", ")}` : JSON.stringify(given),
    fix: "Add the label or drop the record: without it, a correct refusal would count as 0.",
  });
}
