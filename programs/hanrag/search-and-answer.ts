import type { RankedPassage, Retriever, Text } from "espalier";
import { documentText } from "espalier/retrieval";
import type { HanragCall } from "./modules.ts";
import { unlessUnreadable } from "../support/unless-unreadable.ts";

export interface Found {
  readonly answer: Text<"answer">;
  /** What the generator read. */
  readonly passages: readonly RankedPassage[];
}

/** About 1,000 tokens, so that one passage never fills a small model's context. */
export const maxCharacters = 4_000;

/**
 * ANRAG, one cycle of retrieval and generation (algorithm 1): judges the passages found separately
 * and concurrently, and reads the first relevant ones. An unreadable judgement keeps its passage.
 */
export async function searchAndAnswer(
  question: Text<"question">,
  call: HanragCall,
  retriever: Retriever,
): Promise<Found> {
  const { depth, kept, relevance, emptyEvidence } = call.parameters;
  const found = await call.retrieve(retriever, { query: question, k: depth });
  const relevant = relevance === "on" ? await relevantOf(found) : found;
  const isEmpty = relevant.length === 0;
  if (isEmpty) call.note("nothing-relevant", emptyEvidence);
  const passages = (isEmpty && emptyEvidence === "best-found" ? found : relevant).slice(0, kept);
  const { answer } = await call.predictors.answerFromPassages({ question, passages });
  return { answer, passages };

  async function relevantOf(
    passagesFound: readonly RankedPassage[],
  ): Promise<readonly RankedPassage[]> {
    const judged = await Promise.all(
      passagesFound.map((passage, index) =>
        unlessUnreadable(
          call.predictors.judgeRelevance(
            { question, passage: documentText(passage, maxCharacters) },
            { key: index + 1 },
          ),
          () => ({ isRelevant: true }),
        ),
      ),
    );
    return passagesFound.filter((_, index) => judged[index]?.isRelevant === true);
  }
}
