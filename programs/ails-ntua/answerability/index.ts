import { conversation, passages, program, text } from "espalier";
import { z } from "zod";
import type { GenerationOptions } from "../generation/index.ts";
import { answerModules, answerRoutes, answerWithGate } from "./answer.ts";

export const gatedOutput = {
  answer: text("answer"),
  route: z.enum(answerRoutes),
  verdict: z.enum(["ANSWERABLE", "PARTIAL", "UNANSWERABLE"]).optional(),
  confidence: z.number().min(0).max(1).optional(),
};

/**
 * Task C of AILS-NTUA (SemEval-2026 Task 8) from given passages: the answerability gate, then Task
 * B or a refusal. Its parameter `gate` chooses three judges, the baseline with one, or none.
 */
export function ailsAnswer({ seed = 42, upTo = "adjustment" }: GenerationOptions = {}) {
  return program({
    name: "ails-answer",
    version: "1",
    input: {
      question: text("question", "The user's latest question."),
      history: conversation("The conversation before the question, oldest turn first."),
      passages: passages("What was retrieved, best first."),
    },
    output: gatedOutput,
    ...answerModules,
    forward: (given, call) => answerWithGate(given, call, { seed, upTo }),
  });
}
