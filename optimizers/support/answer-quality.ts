import { generationQuality, sentenceMatching } from "espalier/judge";
import type { BlamedPredictors } from "espalier/metric";
import { lexicalGenerationQuality } from "espalier/metric";
import type { Parts } from "espalier/servers";

/**
 * MTRAG's IDK-conditioned harmonic mean of answers to questions in a conversation, as the judge LM
 * sees them; an embedder, if there is one, compares sentences for RB_agg. Without a real LM to
 * judge, the lexical stand-in for RB_agg alone, which needs no model.
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
    standIn: () => lexicalGenerationQuality(sides),
  });
}
