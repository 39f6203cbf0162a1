/**
 * Optimizes HANRAG for token F1, and for fewer steps, on questions over four shelves:
 * `espalier optimize optimizers/hanrag.ts`; on the sets of its paper with `--trainset NAME`, each
 * question with its route given with `--trainset NAME-oracle`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { answerWithFeedback, hanrag } from "../programs/hanrag/index.ts";
import { goldOfQuestions } from "./support/gold-of-questions.ts";
import type { QuestionData } from "./support/question-data.ts";
import { onQuestionSets, shelfQuestions, withRoutes } from "./support/question-data.ts";

export default async (parts: Parts) => {
  const on = ({ retriever, trainset, passageOf, value, routing }: QuestionData) => ({
    name: "hanrag",
    program: hanrag({ retriever, routing }),
    trainset,
    gold: goldOfQuestions,
    objective: answerWithFeedback({ passageOf, value }),
    // Hybrid: a candidate also counts if it is the best in a single objective, such as few steps.
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  });
  return study({
    ...on(await shelfQuestions()),
    variants: {
      ...onQuestionSets(parts, (data) => study(on(data))),
      ...withRoutes(parts, (data) => study(on(data))),
    },
  });
};
