import type { Call, Predictor, RankedPassage, Text } from "espalier";
import { FormatError } from "espalier";
import type { reviewDocuments } from "../../signatures/index.ts";
import { documentsText } from "./documents.ts";
import { isNotBlank } from "./find-documents.ts";

/** What one round of research passes on to the next. */
export interface Round {
  readonly query: Text<"query">;
  /** What the documents kept in this round say. */
  readonly summary: Text<"summary">;
}

export interface Review {
  readonly useful: readonly RankedPassage[];
  readonly summary: Text<"summary">;
  readonly isSufficient: boolean;
  /** Sufficient only because there was no query to continue with. */
  readonly isForced: boolean;
  readonly newQuery: Text<"query">;
}

/** Replaces the summary of a round in which nothing was kept. */
export const nothingUseful = "Nothing useful was found.";

/** The inputs of a review except the documents: question, query, and the history by rounds. */
export function reviewInputs({
  question,
  query,
  history,
}: {
  readonly question: Text<"question">;
  readonly query: Text<"query">;
  readonly history: readonly Round[];
}) {
  return {
    question,
    query,
    earlierQueries: history.map((round) => round.query),
    earlierSummaries: history.map((round) => round.summary),
  };
}

type ReviewPredictor = Predictor<
  (typeof reviewDocuments)["input"],
  (typeof reviewDocuments)["output"]
>;
type ReviewCall = Pick<
  Call<{ readonly reviewDocuments: ReviewPredictor }, Record<never, never>>,
  "predictors" | "note"
>;

/**
 * Reviews documents numbered from `first` (appendix A.4). Ignores unknown document numbers. A
 * review that is not sufficient but has no new query counts as sufficient, and so does an
 * unreadable one, in which the authors' parser finds neither; a server fault does not.
 */
export async function review(
  inputs: ReturnType<typeof reviewInputs>,
  { shown, first }: { readonly shown: readonly RankedPassage[]; readonly first: number },
  call: ReviewCall,
): Promise<Review> {
  const documents = documentsText(shown, first);
  try {
    const { useful, summary, isSufficient, newQuery } = await call.predictors.reviewDocuments({
      ...inputs,
      documents,
    });
    const numbers = new Set(useful);
    const isForced = !isSufficient && !isNotBlank(newQuery);
    return {
      useful: shown.filter((_, index) => numbers.has(first + index)),
      summary,
      isSufficient: isSufficient || isForced,
      isForced,
      newQuery,
    };
  } catch (error) {
    if (!FormatError.isInstance(error)) throw error;
    call.note("reviewFailed", error.message);
    return { useful: [], summary: "", isSufficient: true, isForced: true, newQuery: "" };
  }
}
