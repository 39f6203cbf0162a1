import type {
  Call,
  InputOf,
  PassageReranker,
  PredictorOptions,
  RankedPassage,
  Retriever,
  Text,
} from "espalier";
import { conversation, int, program, rankedPassages, real, reason, text } from "espalier";
import { reciprocalRankFusion } from "espalier/retrieval";
import { buildNotes, generateQueries } from "../../signatures/index.ts";
import { cutText } from "./cut-text.ts";
import type { HopNotes } from "./notes.ts";
import { notesText } from "./notes.ts";

/** What the retriever searches and orders with. */
export interface NotesGuidedParts {
  /** Keyword index. */
  readonly sparse: Retriever;
  /** Dense index; absent: keyword search alone. */
  readonly dense?: Retriever;
  readonly reranker: PassageReranker;
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
      /** Passages that each query takes from each index. */
      depth: int({ default: 10, min: 5, max: 50 }),
      k0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
      /** Weight of the keyword index in the fusion; the dense index has the rest. */
      sparseWeight: real({ default: 0.5, min: 0, max: 1 }),
      /** Passages that a round keeps after reranking. */
      rerankDepth: int({ default: 10, min: 5, max: 30 }),
      /** Passages returned in the end. */
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

/** The loop itself. A round that fails is noted and left out; an abort ends it. */
export async function retrieve(
  { question, history }: InputOf<typeof notesGuidedInput>,
  call: RetrievalCall,
  parts: Omit<NotesGuidedParts, "sampling">,
): Promise<readonly RankedPassage[]> {
  const { hops, rerankDepth, k } = call.parameters;
  const notes: HopNotes[] = [];
  const rounds: (readonly RankedPassage[])[] = [];
  let finalQuery: string = question;

  for (let hop = 1; hop <= hops; hop++) {
    const step = call.at("hop", hop);
    try {
      const { query1, query2, query3, rerankQuery, finalRerankQuery } =
        await step.predictors.generateQueries({ question, history, notes: notesText(notes) });
      const queries = [query1, query2, query3].filter((query) => !isBlank(query));
      const candidates = await search(queries, step, parts);
      const found = await step.rerank(parts.reranker, {
        query: isBlank(rerankQuery) ? question : rerankQuery,
        passages: candidates,
        k: rerankDepth,
      });
      rounds.push(found);
      finalQuery = isBlank(finalRerankQuery) ? question : finalRerankQuery;
      if (hop === hops) break;
      const { keyFindings, missingInfo, searchSuggestions } = await step.predictors.buildNotes({
        question,
        queries,
        passages: found.map((passage) => ({ ...passage, text: cutText(passage.text, 800) })),
        earlierNotes: notesText(notes),
      });
      notes.push({ hop, queries, keyFindings, missingInfo, searchSuggestions });
    } catch (error) {
      call.signal.throwIfAborted();
      step.note("failed", error instanceof Error ? error.message : String(error));
    }
  }
  // Later rounds know more, so their copy of a passage comes first.
  const all = withoutRepeats(rounds.toReversed().flat());
  return call.rerank(parts.reranker, { query: finalQuery, passages: all, k });
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
  return withoutRepeats(fused.flat());
}

function withoutRepeats(passages: readonly RankedPassage[]): readonly RankedPassage[] {
  const seen = new Set<string>();
  return passages.filter(({ id }) => !seen.has(id) && seen.add(id).has(id));
}

function isBlank(query: string): boolean {
  return query.trim() === "";
}
