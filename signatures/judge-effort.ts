import { signature, text } from "espalier";
import { z } from "zod";

/** How much retrieval a question takes, from none (Adaptive-RAG, section 3.2: A, B, C). */
export const efforts = ["no-search", "one-search", "several-searches"] as const;

/**
 * Classifier of Adaptive-RAG (Jeong et al. 2024, section 3.2). Theirs is a small trained model;
 * here it is a prompt, to be optimized.
 */
export const judgeEffort = signature({
  name: "judge-effort",
  instruction: `Judge how much searching the answer to this question takes.
no-search: you know the answer for certain.
one-search: the answer is one fact, and a search with the question's own words finds it.
several-searches: the answer depends on another fact that has to be found first, or on facts about several things.`,
  input: { question: text("question", "The question to be answered.") },
  output: { effort: z.enum(efforts).describe("How much searching it takes.") },
});
