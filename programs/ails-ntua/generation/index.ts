import { conversation, passages, program, text } from "espalier";
import { z } from "zod";
import { generate, generationRoutes } from "./generate.ts";
import { generationModules } from "./modules.ts";
import type { GenerationStage } from "./stages.ts";

export interface GenerationOptions {
  /** Seed of the draw that decides which turns the user judge sees. @default 42 */
  readonly seed?: number;
  /** The last stage of the pipeline that runs; for ablations. @default "adjustment", all of it */
  readonly upTo?: GenerationStage;
}

/**
 * Agentic generation from given passages (AILS-NTUA, SemEval-2026 Task 8, Task B): evidence spans,
 * two candidates, a technical and a user judge, selection by extractiveness, and small corrections.
 */
export function ailsGeneration({ seed = 42, upTo = "adjustment" }: GenerationOptions = {}) {
  return program({
    name: "ails-generation",
    version: "1",
    input: {
      question: text("question", "The user's latest question."),
      history: conversation("The conversation before the question, oldest turn first."),
      passages: passages("Passages to answer from, best first; there may be none."),
    },
    output: { answer: text("answer"), route: z.enum(generationRoutes) },
    ...generationModules,
    forward: (given, call) => generate(given, call, { seed, upTo }),
  });
}
