import type { InputOf, RankedPassage } from "espalier";
import { FormatError, program, rankedPassages } from "espalier";
import { cutText } from "../support/cut-text.ts";
import { indexFor } from "../support/by-collection.ts";
import { distinctPassages } from "../support/distinct-passages.ts";
import { fallbackFrom } from "../support/with-fallback.ts";
import type { HopNotes } from "./notes.ts";
import { notesText } from "./notes.ts";
import type { NotesGuidedParts, RetrievalCall } from "./retrieval-modules.ts";
import { notesGuidedInput, retrievalModules } from "./retrieval-modules.ts";
import { reranked, search } from "./search.ts";

/**
 * The retrieval loop of NLP-CEIA-UFG (SemEval-2026 Task 8, Subtask A). Each of K rounds has three
 * queries from question, conversation and notes, hybrid search fused by reciprocal ranks, reranking
 * to ten, and notes for the next round; at the end, everything found is reranked together.
 *
 * Choices where the authors leave room or contradict themselves:
 *
 * - Both lists of a query are fused and cut to ten, so that three queries yield the paper's thirty
 *   candidates; its code joins the lists without fusion, up to fifty.
 * - If a round fails, the last reranking uses the phrase of the round before it rather than the
 *   question: each round is asked for one.
 * - If the reranker fails, results keep their order by fused score (the authors' code).
 * - If no round succeeded, the run fails, unless unreadable replies were the cause: their code goes
 *   on, and an outage would be scored as a search that found nothing.
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
 * The loop itself. Failed rounds are noted and skipped; an abort, an exhausted budget or a
 * configuration error ends it.
 */
export async function retrieve(
  { question, history, collection }: InputOf<typeof notesGuidedInput>,
  call: RetrievalCall,
  parts: Omit<NotesGuidedParts, "sampling">,
): Promise<readonly RankedPassage[]> {
  const { hops, rerankDepth, k } = call.parameters;
  const notes: HopNotes[] = [];
  const rounds: (readonly RankedPassage[])[] = [];
  let finalQuery: string = question;
  const indexes = {
    sparse: indexFor(parts.sparse, collection),
    dense: parts.dense && indexFor(parts.dense, collection),
  };
  const told = () => notesText(parts.notesRead === "last-round" ? notes.slice(-1) : notes);

  for (let hop = 1; hop <= hops; hop++) {
    const step = call.at("hop", hop);
    try {
      const { query1, query2, query3, rerankQuery, finalRerankQuery } =
        await step.predictors.generateQueries({ question, history, notes: told() });
      const queries = [query1, query2, query3].filter((query) => !isBlank(query));
      const candidates = await search(queries, step, indexes);
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

function isBlank(query: string): boolean {
  return query.trim() === "";
}
