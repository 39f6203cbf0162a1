import type { Call, InputOf, PredictorOptions, Text } from "espalier";
import { conversation, predict, reason, text } from "espalier";
import { z } from "zod";
import {
  rewriteForAgencyPages,
  rewriteForCloudDocumentation,
  rewriteForEncyclopedia,
  rewriteForFinanceForum,
  rewriteMinimally,
  rewriteStepByStep,
  rewriteWithKeywords,
  writeHypotheticalPassage,
} from "../../../signatures/index.ts";
import { fallbackFrom } from "../../support/with-fallback.ts";
import { parsedOnce } from "../parsed-once.ts";
import type { CorpusName } from "./corpora.ts";
import { corpora } from "./corpora.ts";
import type { HistoryWindow } from "./history-window.ts";
import { historyWindow } from "./history-window.ts";
import { anchorKeywordQuery, hypotheticalQuery } from "./query-of-parts.ts";
import type { Strategy } from "./strategies.ts";

export const retrievalInput = {
  question: text("question", "The user's latest question."),
  history: conversation("The conversation before the question, oldest turn first."),
  corpus: z.enum(corpora).describe("The collection that is searched."),
};

export type RetrievalInput = InputOf<typeof retrievalInput>;

/**
 * The five rewriters; the corpus-specific one consists of four. Greedy, with the authors' token
 * limits (AILS-NTUA, SemEval-2026 Task 8, section 4 and their code); `sampling` is merged over
 * that. An unparseable reply is not corrected: the question itself replaces it.
 */
export function rewriters(sampling: PredictorOptions["sampling"] = {}) {
  const capped = (maxCompletionTokens: number): PredictorOptions =>
    parsedOnce(maxCompletionTokens, sampling);
  return {
    rewriteMinimally: predict(rewriteMinimally, capped(400)),
    rewriteForEncyclopedia: predict(rewriteForEncyclopedia, capped(400)),
    rewriteForFinanceForum: predict(rewriteForFinanceForum, capped(400)),
    rewriteForAgencyPages: predict(rewriteForAgencyPages, capped(400)),
    rewriteForCloudDocumentation: predict(rewriteForCloudDocumentation, capped(400)),
    rewriteStepByStep: reason(rewriteStepByStep, capped(600)),
    writeHypotheticalPassage: predict(writeHypotheticalPassage, capped(800)),
    rewriteWithKeywords: predict(rewriteWithKeywords, capped(450)),
  } as const;
}

type Rewriters = ReturnType<typeof rewriters>;
export type RewriteCall = Call<Rewriters, Record<never, never>>;

/**
 * The question as rewritten by one strategy. The first question of a conversation stays unchanged,
 * and so does a question whose rewriter fails or returns nothing. Failures are noted; an abort, an
 * exhausted budget or a configuration error ends the run.
 *
 * @param window the turns that the rewriter reads, in place of the authors' own
 */
export async function rewrite(
  strategy: Strategy,
  given: RetrievalInput,
  call: Pick<RewriteCall, "predictors" | "signal" | "note">,
  window?: HistoryWindow,
): Promise<Text<"query">> {
  if (given.history.length === 0) return given.question as string;
  try {
    const query = (await queryBy[strategy](given, call, window)).trim();
    return query === "" ? (given.question as string) : query;
  } catch (error) {
    call.note(`${strategy}-failed`, fallbackFrom(error, call.signal));
    return given.question as string;
  }
}

type QueryBy = (
  given: RetrievalInput,
  call: Pick<RewriteCall, "predictors">,
  window: HistoryWindow | undefined,
) => Promise<Text<"query">>;

const usual: HistoryWindow = { user: 6, assistant: 3 };

const queryBy: Readonly<Record<Strategy, QueryBy>> = {
  minimal: async (given, { predictors }, window = usual) =>
    (await predictors.rewriteMinimally(recent(given, window))).rewritten,
  corpusSpecific: async (given, { predictors }, window) => {
    const { rewriter, window: own } = byCorpus[given.corpus];
    return (await predictors[rewriter](recent(given, window ?? own))).rewritten;
  },
  chainOfThought: async (given, { predictors }, window = usual) =>
    (await predictors.rewriteStepByStep(recent(given, window))).rewritten,
  hypothetical: async (given, { predictors }, window = usual) =>
    hypotheticalQuery(await predictors.writeHypotheticalPassage(recent(given, window))),
  anchorKeyword: async (given, { predictors }, window = { user: 6, assistant: 1 }) => {
    const { rewritten, anchors, keywords } = await predictors.rewriteWithKeywords(
      recent(given, window),
    );
    // If the rewrite is empty, the terms accompany the question instead.
    const query: Text<"query"> = rewritten.trim() === "" ? String(given.question) : rewritten;
    return anchorKeywordQuery({ rewritten: query, anchors, keywords });
  },
};

/**
 * Table 29 of the paper: the rewriter of each collection and the part of the conversation that it
 * reads.
 */
const byCorpus = {
  clapnq: { rewriter: "rewriteForEncyclopedia", window: usual },
  fiqa: { rewriter: "rewriteForFinanceForum", window: { user: 6, assistant: 0 } },
  govt: { rewriter: "rewriteForAgencyPages", window: usual },
  cloud: { rewriter: "rewriteForCloudDocumentation", window: usual },
  other: { rewriter: "rewriteForEncyclopedia", window: usual },
} as const satisfies Readonly<
  Record<CorpusName, { readonly rewriter: keyof Rewriters; readonly window: HistoryWindow }>
>;

/** The question with the turns that a rewriter reads. */
export function recent(
  { question, history }: Pick<RetrievalInput, "question" | "history">,
  window: HistoryWindow = usual,
): Pick<RetrievalInput, "question" | "history"> {
  return { question, history: historyWindow(history, window) };
}
