/**
 * Adaptive-RAG, the adaptive baseline of HANRAG's tables, on the same questions with the same
 * metric: `espalier eval optimizers/hanrag-adaptive.ts --trainset NAME`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import { adaptiveRag, answerAlone } from "../programs/hanrag/index.ts";
import type { QuestionData } from "./support/question-data.ts";
import { onQuestionSets, shelfQuestions } from "./support/question-data.ts";

export default async (parts: Parts) => {
  const on = ({ retriever, trainset, value }: QuestionData) => ({
    name: "hanrag-adaptive",
    program: adaptiveRag({ retriever }),
    trainset,
    objective: answerAlone({ value }),
    optimizer: gepa({ budget: { metricCalls: 2_000 }, search: { frontier: "hybrid" } }),
  });
  return study({
    ...on(await shelfQuestions()),
    variants: onQuestionSets(parts, (data) => study(on(data))),
  });
};
