/**
 * Optimizes an agent with a search and a calculator for token F1 on questions over four shelves,
 * many of which take several searches: `espalier optimize optimizers/react-research.ts`. The
 * instruction and the descriptions of tools and arguments evolve.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { reactResearch, researchWithFeedback } from "../programs/react-research/index.ts";
import { shelfQuestions } from "./support/question-data.ts";

export default async () => {
  const { retriever, trainset, passageOf } = await shelfQuestions();
  return study({
    name: "react-research",
    program: reactResearch({ retriever }),
    trainset,
    objective: researchWithFeedback({ passageOf }),
    optimizer: gepa({
      budget: { metricCalls: 1_200, reflectionCalls: 60, toolCalls: 9_000 },
      components: ["instruction", "toolDescription"],
    }),
  });
};
