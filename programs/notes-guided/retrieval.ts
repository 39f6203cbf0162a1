import type {
  Call,
  InputOf,
  PassageReranker,
  PredictorOptions,
  RankedPassage,
  Retriever,
  Text,
} from "espalier";
import {
  conversation,
  FormatError,
  int,
  program,
  rankedPassages,
  real,
  reason,
  text,
} from "espalier";
import { reciprocalRankFusion } from "espalier/retrieval";
import { buildNotes, generateQueries } from "../../signatures/index.ts";
import { cutText } from "../support/cut-text.ts";
import { distinctPassages } from "../support/distinct-passages.ts";
import { fallbackFrom, withFallback } from "../support/with-fallback.ts";
import type { HopNotes } from "./notes.ts";
import { notesText } from "./notes.ts";

/** What the retriever searches and orders with. */
export interface NotesGuidedParts {
  /** Keyword index. */
  readonly sparse: Retriever;
  /** Dense index; absent: keyword search alone. */
  readonly dense?: Retriever;
  readonly reranker: PassageReranker;
  /**
   * Whose notes a round is told: those of all rounds before it, as the authors' code has it, which made
   * their figures, or of the last alone, as section 3 does, N^(k-1). @default "all-rounds"
   */
  readonly notesRead?: "all-rounds" | "last-round";
  /** @default temperature 0.4, at most 10,000 tokens, as the authors ran gpt-oss-120b */
  readonly sampling?: PredictorOptions["sampling"];
}

export const notesGuidedInput = {
  question: text("question", "The user's latest question."),
  history: conversation("The conversation before the question, oldest turn first."),
};

const authorsSampling = { temperature: 0.4, maxCompletionTokens: 10_000 };

/** The predictors and numbers of the retrieval loop, for the programs that contain it. */
export function retrievalModules(sampling: PredictorOptions["sampling"] = authorsSampling) {
  return {
    predictors: {
      generateQueries: reason(generateQueries, { sampling }),
      buildNotes: reason(buildNotes, { sampling }),
    },
    parameters: {
      hops: int({ default: 3, min: 1, max: 5 }),
      /** Passages that each query takes from each index, and keeps of both after fusion. */
      depth: int({ default: 10, min: 5, max: 50 }),
      k0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
      /** Weight of the keyword index in the fusion; the dense index has the rest. */
      sparseWeight: real({ default: 0.5, min: 0, max: 1 }),
      /** Passages that a round keeps after reranking. */
      rerankDepth: int({ default: 10, min: 5, max: 30 }),
      /** Passages returned in the end, and answered from: 10 by the paper; the authors handed in 5. */
      k: int({ default: 10, min: 1, max: 20 }),
    },
  } as const;
}

type RetrievalModules = ReturnType<typeof retrievalModules>;
export type RetrievalCall = Call<RetrievalModules["predictors"], RetrievalModules["parameters"]>;

/**
 * The retrieval loop of NLP-CEIA-UFG (SemEval-2026 Task 8, Subtask A): in each of K rounds three
 * queries from question, conversation and notes, hybrid search fused by reciprocal ranks, reranking
 * to ten, and notes for the next round; in the end everything found is reranked together.
 *
 * Where the authors leave room, or contradict themselves:
 * - Both lists of a query are fused and cut to ten, so that three queries bring the thirty candidates of
 *   the paper; its code joins the lists without fusion, up to fifty.
 * - A round that fails leaves the phrase of the last reranking to the round before it, not to the
 *   question: each round is asked for one.
 * - Where the reranker fails, what was found keeps its order by fused score (the authors' code).
 * - A run in which no round succeeded fails where that was not the doing of unreadable replies: their
 *   code goes on, and an outage would be scored as a search that found nothing.
 */
export function notesGuidedRetrieval({ sampling, ...parts }: NotesGuidedParts) {
  return program({
    name: "notes-guided-retrieval",
    version: "1",
    input: notesGuidedInput,
    output: { passages: rankedPassages() },
    ...retrievalModules(sampling),
    forward: async (given, call) => ({ passages: await retrieve(given, call, parts) }),
  });
}

/**
 * The loop itself. A round that fails is noted and left out; an abort, an exhausted budget and what is
 * wrong with the configuration end it.
 */
export async function retrieve(
  { question, history }: InputOf<typeof notesGuidedInput>,
  call: RetrievalCall,
  parts: Omit<NotesGuidedParts, "sampling">,
): Promise<readonly RankedPassage[]> {
  const { hops, rerankDepth, k } = call.parameters;
  const notes: HopNotes[] = [];
  const rounds: (readonly RankedPassage[])[] = [];
  let finalQuery: string = question;
  const told = () => notesText(parts.notesRead === "last-round" ? notes.slice(-1) : notes);

  for (let hop = 1; hop <= hops; hop++) {
    const step = call.at("hop", hop);
    try {
      const { query1, query2, query3, rerankQuery, finalRerankQuery } =
        await step.predictors.generateQueries({ question, history, notes: told() });
      const queries = [query1, query2, query3].filter((query) => !isBlank(query));
      const candidates = await search(queries, step, parts);
      const found = await reranked(
        {
          query: isBlank(rerankQuery) ? question : rerankQuery,
          passages: candidates,
          k: rerankDepth,
        },
        step,
        parts,
      );
      rounds.push(found);
      finalQuery = isBlank(finalRerankQuery) ? question : finalRerankQuery;
      if (hop === hops) break;
      const { keyFindings, missingInfo, searchSuggestions } = await step.predictors.buildNotes({
        question,
        queries,
        passages: found.map((passage) => ({ ...passage, text: cutText(passage.text, 800) })),
        earlierNotes: told(),
      });
      notes.push({ hop, queries, keyFindings, missingInfo, searchSuggestions });
    } catch (error) {
      step.note("failed", fallbackFrom(error, call.signal));
      const isOver = hop === hops && rounds.length === 0;
      if (isOver && !FormatError.isInstance(error)) throw error;
    }
  }
  // Later rounds know more, so their copy of a passage comes first.
  const all = distinctPassages(rounds.toReversed().flat());
  return reranked({ query: finalQuery, passages: all, k }, call, parts);
}

async function search(
  queries: readonly Text<"query">[],
  step: RetrievalCall,
  { sparse, dense }: Pick<NotesGuidedParts, "sparse" | "dense">,
): Promise<readonly RankedPassage[]> {
  const { depth, k0, sparseWeight } = step.parameters;
  const fused = await Promise.all(
    queries.map(async (query, index) => {
      const request = { query, k: depth, key: index + 1 };
      const runs = await Promise.all([
        step.retrieve(sparse, request),
        ...(dense === undefined ? [] : [step.retrieve(dense, request)]),
      ]);
      const weights = dense === undefined ? [1] : [sparseWeight, 1 - sparseWeight];
      return reciprocalRankFusion(runs, { k0, weights }).slice(0, depth);
    }),
  );
  return distinctPassages(fused.flat());
}

/** Reranked, or in the order of the scores that they come with. */
async function reranked(
  request: {
    readonly query: string;
    readonly passages: readonly RankedPassage[];
    readonly k: number;
  },
  step: RetrievalCall,
  { reranker }: Pick<NotesGuidedParts, "reranker">,
): Promise<readonly RankedPassage[]> {
  return withFallback(() => step.rerank(reranker, request), {
    call: step,
    key: "rerankingFailed",
    fallback: byScore(request.passages).slice(0, request.k),
  });
}

/** Scores relative to the best, which counts 1, where it is above 0. */
function byScore(passages: readonly RankedPassage[]): readonly RankedPassage[] {
  const sorted = passages.toSorted((left, right) => right.score - left.score);
  const best = sorted[0]?.score ?? 0;
  return best > 0 ? sorted.map((each) => ({ ...each, score: each.score / best })) : sorted;
}

function isBlank(query: string): boolean {
  return query.trim() === "";
}
