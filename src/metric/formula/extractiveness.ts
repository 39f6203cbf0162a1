import { pythonSplit } from "./python-text.ts";

export interface Extract {
  readonly answer: string;
  /** Spans of passages on which the answer should be based. */
  readonly spans: readonly string[];
  /** Words per n-gram, at least 1. @default 4 */
  readonly n?: number;
}

/**
 * Share of the answer's distinct n-grams that occur in the spans, in [0, 1]: 1 means copied word
 * for word (AILS-NTUA, SemEval-2026 Task 8, section 5.2, r4). Words are lower-cased and keep their
 * punctuation; spans are joined with a space, so an n-gram may cross from one into the next. An
 * answer of fewer than `n` words has no n-grams and scores 0.
 */
export function extractivenessOf({ answer, spans, n = 4 }: Extract): number {
  const ofAnswer = nGrams(answer, n);
  if (ofAnswer.size === 0) return 0;
  return ofAnswer.intersection(nGrams(spans.join(" "), n)).size / ofAnswer.size;
}

function nGrams(text: string, n: number): Set<string> {
  const words = pythonSplit(text.toLowerCase());
  const count = Math.max(0, words.length - n + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + n).join(" ")));
}
