import { conversation, signature, text } from "espalier";
import { z } from "zod";

/** Kinds of questions: those of MTRAG, of which a question that is none is `default`. */
export const questionKinds = [
  "keyword",
  "how_to",
  "explanation",
  "comparative",
  "summarization",
  "factoid",
  "opinion",
  "troubleshooting",
  "composite",
  "default",
] as const;

/**
 * Type of a question, for a rewriter that depends on it (AILS-NTUA, SemEval-2026 Task 8, table 16).
 * The paper prints no prompt: the words are ours, the types those of MTRAG.
 */
export const classifyQuestion = signature({
  name: "classify-question",
  instruction: `Decide what kind of question the user's latest question is.

- keyword: some words and no sentence. how_to: it asks for the steps of a task. explanation: it asks why, or what something means.
- comparative: it compares things. summarization: it asks for an overview. factoid: a fact answers it.
- opinion: it asks what is good, or advisable. troubleshooting: something does not work. composite: several of these at once.
- default: none of these, such as a remark.`,
  input: {
    question: text("question", "The user's latest question."),
    history: conversation("The conversation before the question, oldest turn first."),
  },
  output: { kind: z.enum(questionKinds).describe("The kind that fits best.") },
});
