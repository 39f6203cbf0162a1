import { generationQuality, lexicalGenerationQuality, sentenceMatching } from "@espalier/judge";
import type { Metric, Passage } from "espalier";
import type { BlamedPredictors } from "espalier/metric";
import type { Parts } from "espalier/servers";

/**
 * MTRAG's IDK-conditioned harmonic mean of answers to questions in a conversation, as the judge LM
 * sees them; an embedder, if there is one, compares sentences for RB_agg. Without a real LM to
 * judge, the lexical proxy for RB_agg alone, which needs no model.
 */
export function answerQuality<const TPassages extends string>(
  parts: Parts,
  given: { readonly passages: TPassages; readonly blame: BlamedPredictors },
) {
  const sides = {
    answer: "answer",
    reference: "answer",
    answerability: "answerability",
    relevant: "relevant",
    ...given,
  } as const;
  return parts.judged({
    metric: () =>
      generationQuality({
        question: "question",
        history: "history",
        ...(parts.has("embedder") && {
          agreement: sentenceMatching({ embedder: parts.embedder() }),
        }),
        ...sides,
      }),
    mock: () => lexicalGenerationQuality(sides),
  });
}

/** The same metric for a program that is given its passages instead of finding them. */
export function ofGivenPassages<TInput extends GivenPassages, TOutput, TLabels>(
  metric: Metric<TInput, TOutput & { readonly contexts: readonly Passage[] }, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return {
    ...metric,
    doScore: (args) =>
      metric.doScore({
        ...args,
        output: { ...args.output, contexts: args.example.input.passages },
      }),
  };
}

interface GivenPassages {
  readonly passages: readonly Passage[];
}

/** Who of AILS-NTUA retrieves, abstains and answers. */
export const ailsBlame: BlamedPredictors = {
  retrieving: [
    "rewriteMinimally",
    "rewriteForEncyclopedia",
    "rewriteForFinanceForum",
    "rewriteForAgencyPages",
    "rewriteForCloudDocumentation",
    "rewriteStepByStep",
    "writeHypotheticalPassage",
    "rewriteWithKeywords",
  ],
  abstaining: ["judgeDocuments", "judgeSpans", "judgeAnswer", "arbitrateVerdicts"],
  answering: ["extractSpans", "writeAnswerA", "writeAnswerB", "declineToAnswer"],
};
