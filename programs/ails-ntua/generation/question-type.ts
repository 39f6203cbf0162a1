import { pythonSplit } from "espalier/metric";
import { pythonPattern, stripped } from "../python-text.ts";

export type QuestionType =
  | "keyword"
  | "how_to"
  | "explanation"
  | "comparative"
  | "summarization"
  | "factoid"
  | "default";

/** The answer style for each type (table 32). */
export const questionStyles: Readonly<Record<QuestionType, string>> = {
  keyword: "Keywords: interpret them as a question, and answer it.",
  how_to: "How-to: answer step by step.",
  explanation: "Explanation: explain clearly.",
  comparative: "Comparison: compare point by point.",
  summarization: "Summary: sum up everything of weight.",
  factoid: "Factoid: give the fact directly.",
  default: "Question: answer completely.",
};

/**
 * Type of a question by the first matching rule (appendix C.5). The authors' rule for summaries,
 * `\bsummar\b`, matches neither "summary" nor "summarize"; their figures were obtained with it, so
 * it is the default, and `summaries: "stem"` corrects it.
 */
export function questionType(
  question: string,
  {
    keywordWords = 3,
    summaries = "word",
  }: {
    /** Maximum words of a question that counts as keywords. */
    readonly keywordWords?: number;
    readonly summaries?: "word" | "stem";
  } = {},
): QuestionType {
  const asked = stripped(question.toLowerCase());
  if (pythonSplit(asked).length <= keywordWords && !asked.includes("?")) return "keyword";
  const stem = summaries === "stem" ? String.raw`summar\w*` : "summar";
  const rules: readonly (readonly [QuestionType, string])[] = [
    ["how_to", "how (?:do|can|should|to)"],
    ["explanation", "why|explain|reason"],
    ["comparative", "compare|difference|vs|better"],
    ["summarization", `${stem}|overview`],
    ["factoid", "what|who|when|where|how many|how much"],
  ];
  const [type] = rules.find(([, words]) => holdsWord(asked, words)) ?? ["default" as const];
  return type;
}

function holdsWord(text: string, words: string): boolean {
  return pythonPattern(String.raw`\b(?:${words})\b`).test(text);
}
