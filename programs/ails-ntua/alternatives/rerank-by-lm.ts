import type { Call, PredictorOptions, RankedPassage } from "espalier";
import { choice, int, predict, program, rankedPassages } from "espalier";
import { documentText, lexicalReranker } from "espalier/retrieval";
import { orderPassages, ratePassage, writeCandidateAnswer } from "../../../signatures/index.ts";
import { scoredByPlace } from "../../support/scored-by-place.ts";
import { unlessUnreadable } from "../../support/unless-unreadable.ts";
import { latestTurns } from "../latest-turns.ts";
import { parsedOnce } from "../parsed-once.ts";
import type { AilsRetrievalParts, RetrievalInput } from "../retrieval/index.ts";
import { retrievalInput, retrievalModules, retrieveByRewrites } from "../retrieval/index.ts";

/**
 * A model as the last reranker (AILS-NTUA, SemEval-2026 Task 8, table 23), which they tried and
 * left: it orders the 20 best passages of their retrieval. `pointwise`: by a rating from 1 to 10 of
 * each; `listwise`: by an order of all; `generation`: by how near they are to the answer that it
 * writes from them, here by shared words. What it leaves open stays in the order of the retrieval.
 */
export function rerankByLm({ sampling, ...parts }: AilsRetrievalParts) {
  const { predictors, parameters } = retrievalModules(sampling);
  const ranker = rankerModules(sampling);
  return program({
    name: "rerank-by-lm",
    version: "1",
    input: retrievalInput,
    output: { passages: rankedPassages() },
    predictors: { ...predictors, ...ranker.predictors },
    parameters: { ...parameters, ...ranker.parameters },
    forward: async (given, call) => {
      const pool = await retrieveByRewrites(given, call, parts);
      const ordered = await orderedBy[call.parameters.lmRanking](given, pool, call);
      return { passages: scoredByPlace([...new Set([...ordered, ...pool])]) };
    },
  });
}

function rankerModules(sampling: PredictorOptions["sampling"]) {
  return {
    predictors: {
      ratePassage: predict(ratePassage, parsedOnce(50, sampling)),
      orderPassages: predict(orderPassages, parsedOnce(300, sampling)),
      writeCandidateAnswer: predict(writeCandidateAnswer, parsedOnce(500, sampling)),
    },
    parameters: {
      lmRanking: choice(["pointwise", "listwise", "generation"]),
      /** The pool, all of which is returned. */
      k: int({ default: 20, min: 1, max: 100 }),
      /** Latest turns that the ranker sees, and characters of a passage that it rates. */
      rankerTurns: int({ default: 4, min: 0, max: 20 }),
      ratedCharacters: int({ default: 2000, min: 100, max: 10_000 }),
    },
  } as const;
}

type RankerModules = ReturnType<typeof rankerModules>;
type RankerCall = Call<RankerModules["predictors"], RankerModules["parameters"]>;

/** Members of the pool, best first; those that are left out follow. */
type Order = (
  given: RetrievalInput,
  pool: readonly RankedPassage[],
  call: RankerCall,
) => Promise<readonly RankedPassage[]>;

const orderedBy: Readonly<Record<"pointwise" | "listwise" | "generation", Order>> = {
  pointwise: async (given, pool, call) => {
    const rated = await Promise.all(
      pool.map(async (passage, index) => {
        const text = documentText(passage, call.parameters.ratedCharacters);
        const reply = call.predictors.ratePassage(
          { ...shown(given, call), passage: text },
          { key: index + 1 },
        );
        return { passage, ...(await unlessUnreadable(reply, () => ({ rating: 1 }))) };
      }),
    );
    return rated.toSorted((one, other) => other.rating - one.rating).map(({ passage }) => passage);
  },
  listwise: async (given, passages, call) => {
    const reply = call.predictors.orderPassages({ ...shown(given, call), passages });
    const { order } = await unlessUnreadable(reply, () => ({ order: [] }));
    return order.flatMap((number) => passages[number - 1] ?? []);
  },
  generation: async (given, passages, call) => {
    const asked = { ...shown(given, call), spans: [], passages };
    const reply = call.predictors.writeCandidateAnswer(asked);
    const { answer } = await unlessUnreadable(reply, () => ({ answer: "" }));
    const near = await call.rerank(lexicalReranker(), {
      query: answer,
      passages,
      k: Math.max(1, passages.length),
    });
    return near.flatMap(({ id }) => passages.find((passage) => passage.id === id) ?? []);
  },
};

function shown({ question, history }: RetrievalInput, { parameters }: RankerCall) {
  return { question, history: latestTurns(history, parameters.rankerTurns) };
}
