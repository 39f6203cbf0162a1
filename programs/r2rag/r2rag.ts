import { program } from "espalier";
import { z } from "zod";
import { answerInput, answerOutput, writeAnswer } from "./answering.ts";
import type { ComplexityClassifier } from "./complexity/complexity-classifier.ts";
import { judgePredictors, judgeQuestion } from "./complexity/judge-question.ts";
import { research } from "./research.ts";
import type { VanillaAgentParts } from "./vanilla-agent.ts";
import { researchParts } from "./vanilla-agent.ts";
import { vanillaAgentModules } from "./vanilla-agent-modules.ts";
import { answerAtOnce, vanillaRagModules } from "./vanilla-rag.ts";

export interface R2ragParts extends VanillaAgentParts {
  /**
   * Decides instead of the LM, as the authors' logistic regression does; see
   * `complexityClassifier`. The trace does not show it as a call, since it records only predictors
   * and retrievals: the note `complexity` holds its probability and the tokens that it embedded.
   * @default the LM decides, as in the system they submitted
   */
  readonly complexity?: ComplexityClassifier;
}

/**
 * The complete R2RAG, Routing-to-RAG (RMIT-ADM+S, MMU-RAG 2025, section 3): a question that one
 * search will answer goes to `vanillaRag`, a complex one to `vanillaAgent`. The output names the
 * route. The caller enforces the limit of ten minutes per question through the run's `signal`.
 */
export function r2rag({ complexity, ...parts }: R2ragParts) {
  const rag = vanillaRagModules(parts.sampling);
  const agent = vanillaAgentModules(parts);
  const inner = researchParts(parts);
  return program({
    name: "r2rag",
    version: "1",
    input: answerInput,
    output: {
      ...answerOutput,
      route: z.enum(routes).describe("The way that was taken."),
    },
    predictors: { ...judgePredictors(complexity), ...rag.predictors, ...agent.predictors },
    parameters: { ...rag.parameters, ...agent.parameters },
    forward: async (given, call) => {
      call.step(`Checking query: ${given.question}\n`);
      const isComplex = await judgeQuestion(given, call, complexity);
      call.step(isComplex ? "complex\n\n" : "simple\n\n");
      const route: Route = isComplex ? "vanilla-agent" : "vanilla-rag";
      if (route === "vanilla-rag") return { ...(await answerAtOnce(given, call, inner)), route };
      const documents = await research(given, call, inner);
      return { ...(await writeAnswer(given, documents, call, inner)), route };
    },
  });
}

const routes = ["vanilla-rag", "vanilla-agent"] as const;
type Route = (typeof routes)[number];
