import { pythonSplit } from "./python-text.ts";

export interface Extract {
  readonly answer: string;
  /** Spans of passages that the answer was to be built on. */
  readonly spans: readonly string[];
  /** Words of an n-gram, at least 1. @default 4 */
  readonly n?: number;
}

/**
 * Share of the answer's distinct n-grams that stand in the spans, in [0, 1]: 1 is copied word for
 * word (AILS-NTUA, SemEval-2026 Task 8, section 5.2, r4). Words are lower-cased and keep their
 * punctuation; spans are joined by a space, so that an n-gram may cross from one into the next. An
 * answer of fewer than `n` words has none, and 0.
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
