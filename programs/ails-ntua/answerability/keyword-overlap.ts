import { pythonPattern } from "../python-text.ts";

/**
 * The share of a question's keywords that occur in any of the texts: capitalised words, numbers,
 * and words of four letters or more, each of at least three characters. `null` for a question
 * without keywords.
 */
export function keywordOverlap(question: string, texts: readonly string[]): number | null {
  const pattern = pythonPattern(String.raw`\b[A-Z][a-z]+|\b\d+|\b\w{4,}\b`, "g");
  const found = question.match(pattern) ?? [];
  const words = new Set(found.map((word) => word.toLowerCase()));
  const keywords = [...words].filter((word) => Array.from(word).length > 2);
  if (keywords.length === 0) return null;
  const text = texts.join(" ").toLowerCase();
  return keywords.filter((word) => text.includes(word)).length / keywords.length;
}
