import type { Text } from "espalier";
import { int, predict, program, text } from "espalier";
import {
  answerDirectly,
  answerFromPassages,
  efforts,
  judgeEffort,
} from "../../../signatures/index.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import type { BaselineOptions } from "./ircot.ts";
import { interleave, ircotModules } from "./ircot.ts";
import { baselineOutput } from "./output.ts";

type Effort = (typeof efforts)[number];

/**
 * Adaptive-RAG (Jeong et al. 2024): a classifier sends each question to the model alone, to one
 * search, or to IRCoT. The adaptive baseline of HANRAG's tables. An unreadable judgement counts as
 * one search, the middle of the three.
 */
export function adaptiveRag({ retriever, sampling = {} }: BaselineOptions) {
  const several = ircotModules({ sampling });
  return program({
    name: "adaptive-rag",
    version: "1",
    input: { question: text("question", "The question to be answered.") },
    output: baselineOutput,
    predictors: {
      judgeEffort: predict(judgeEffort, { sampling }),
      answerDirectly: predict(answerDirectly, { sampling }),
      answerFromPassages: predict(answerFromPassages, { sampling }),
      ...several.predictors,
    },
    parameters: {
      /** Passages that the answer after one search is written from. */
      depth: int({ default: 5, min: 1, max: 50 }),
      ...several.parameters,
    },
    forward: async ({ question }, call) => {
      const { effort } = await unlessUnreadable<{ readonly effort: Effort }>(
        call.predictors.judgeEffort({ question }),
        () => ({ effort: "one-search" }),
      );
      call.note("effort", effort);
      if (effort === "several-searches") {
        return { ...(await interleave(question, call, retriever)), route: "complex" as const };
      }
      if (effort === "one-search") {
        const passages = await call.retrieve(retriever, {
          query: question,
          k: call.parameters.depth,
        });
        const given: { readonly answer: Text<"answer"> } = await call.predictors.answerFromPassages(
          { question, passages },
        );
        return { answer: given.answer, route: "single-step" as const, steps: 1, passages };
      }
      const { answer } = await call.predictors.answerDirectly({ question });
      return { answer, route: "straightforward" as const, steps: 0, passages: [] };
    },
  });
}
