import type { Retriever, Trainset } from "espalier";
import { pairReranker } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import type { ComplexityClassifier } from "../../programs/r2rag/index.ts";
import { pageRelevance } from "../../programs/r2rag/index.ts";
import type {
  QuestionRoute,
  RoutedQuestionInput,
  RoutedQuestionLabels,
} from "../../trainsets/routed-question.ts";

/**
 * The parts of R2RAG shared by optimization and serving, so that compiled artifacts fit the server.
 */
export function r2ragParts(retriever: Retriever, parts: Parts) {
  return {
    ...deployedParts(retriever, parts),
    // Greedy, unlike the authors' 0.6, so that differences between candidates come from the
    // instruction.
    sampling: { temperature: 0, maxCompletionTokens: 4_096 },
  };
}

/** The same with the authors' sampling, the default of the programs. */
export function deployedParts(retriever: Retriever, parts: Parts) {
  return {
    retriever,
    reranker: parts.reranker({
      instruction: pageRelevance,
      mock: () => pairReranker({ scorer: parts.pairScorer() }),
    }),
    tokenizer: parts.tokenizer(),
  };
}

/** The mock's scores stay below .3 where a model's P(yes) is close to 1. */
export function mockThreshold(parts: Parts) {
  return parts.has("reranker")
    ? []
    : [{ kind: "parameter", path: "threshold", value: 0.1 } as const];
}

/** The kinds of question that take more than one search. */
export const complexRoutes: readonly QuestionRoute[] = ["compound", "complex"];

/** Knows how complex each question of a set is, by its label. */
export function labelledComplexity({
  splits,
}: Trainset<RoutedQuestionInput, RoutedQuestionLabels>): ComplexityClassifier {
  const routes = new Map(
    Object.values(splits)
      .flat()
      .map(({ input: { question }, labels: { route } }) => [question, route]),
  );
  return {
    doClassify: async (question) => {
      const route = routes.get(question);
      const isComplex = route !== undefined && complexRoutes.includes(route);
      return { isComplex, probability: Number(isComplex) };
    },
  };
}
