import type { Call, PassageReranker, PredictorOptions } from "espalier";
import { conversation, int, real, reason, text } from "espalier";
import { z } from "zod";
import { buildNotes, generateQueries } from "../../signatures/index.ts";
import type { Searched } from "../support/by-collection.ts";

/** The components of the retrieval. */
export interface NotesGuidedParts {
  /** Keyword index, or one for each collection. */
  readonly sparse: Searched;
  /** Dense index, or one for each collection; absent: keyword search only. */
  readonly dense?: Searched;
  /** Absent: the order of the fused scores. */
  readonly reranker?: PassageReranker;
  /**
   * Which notes a round receives: those of all earlier rounds, as in the authors' code, which
   * produced their figures, or only the last round's, as in section 3, N^(k-1). @default
   * "all-rounds"
   */
  readonly notesRead?: "all-rounds" | "last-round";
  /** @default temperature 0.4, at most 10,000 tokens, as the authors ran gpt-oss-120b */
  readonly sampling?: PredictorOptions["sampling"];
}

export const notesGuidedInput = {
  question: text("question", "The user's latest question."),
  history: conversation("The conversation before the question, oldest turn first."),
  /** Only where each collection has an index of its own. */
  collection: z.string().optional().describe("The collection that is searched."),
};

const authorsSampling = { temperature: 0.4, maxCompletionTokens: 10_000 };

/** The predictors and parameters of the retrieval loop, for the programs that contain it. */
export function retrievalModules(sampling: PredictorOptions["sampling"] = authorsSampling) {
  return {
    predictors: {
      generateQueries: reason(generateQueries, { sampling }),
      buildNotes: reason(buildNotes, { sampling }),
    },
    parameters: {
      hops: int({ default: 3, min: 1, max: 5 }),
      /** Passages that each query retrieves from each index and keeps after fusing both. */
      depth: int({ default: 10, min: 5, max: 50 }),
      k0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
      /** Weight of the keyword index in the fusion; the dense index gets the rest. */
      sparseWeight: real({ default: 0.5, min: 0, max: 1 }),
      /** Passages that a round keeps after reranking. */
      rerankDepth: int({ default: 10, min: 5, max: 30 }),
      /**
       * Passages returned at the end and used for the answer: 10 in the paper; the authors
       * submitted 5.
       */
      k: int({ default: 10, min: 1, max: 20 }),
    },
  } as const;
}

type RetrievalModules = ReturnType<typeof retrievalModules>;
export type RetrievalCall = Call<RetrievalModules["predictors"], RetrievalModules["parameters"]>;
