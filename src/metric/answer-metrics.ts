import type { Metric } from "../contract/index.ts";
import { metric } from "./metric.ts";
import { notApplicable, scored } from "./scores.ts";
import { exactMatchOf, tokenF1Of } from "./squad.ts";

/** Where the two sides are, by name: a misspelt one does not fit the study and does not compile. */
export interface AnswerSides<TAnswer extends string, TGolds extends string> {
  /** Output field that holds the answer. */
  readonly answer: TAnswer;
  /** Label that lists the accepted answers; the best one counts. None: the metric does not apply. */
  readonly golds: TGolds;
}

type AnswerMetric<TAnswer extends string, TGolds extends string> = Metric<
  unknown,
  { readonly [K in TAnswer]: string },
  { readonly [K in TGolds]: readonly string[] }
>;

/**
 * Metric `exact_match`: 1 when the answer equals an accepted one after SQuAD's normalisation.
 *
 * @example exactMatch({ answer: "answer", golds: "answers" })
 */
export function exactMatch<const TAnswer extends string, const TGolds extends string>(
  sides: AnswerSides<TAnswer, TGolds>,
): AnswerMetric<TAnswer, TGolds> {
  return answerMetric("exact_match", exactMatchOf, sides);
}

/** Metric `token_f1`: partial credit for shared words; see `exactMatch` for all or nothing. */
export function tokenF1<const TAnswer extends string, const TGolds extends string>(
  sides: AnswerSides<TAnswer, TGolds>,
): AnswerMetric<TAnswer, TGolds> {
  return answerMetric("token_f1", tokenF1Of, sides);
}

function answerMetric<TAnswer extends string, TGolds extends string>(
  name: string,
  formula: (prediction: string, golds: readonly string[]) => number,
  { answer, golds }: AnswerSides<TAnswer, TGolds>,
): AnswerMetric<TAnswer, TGolds> {
  return metric({
    name,
    version: "1",
    score: ({ example, output }) => {
      const accepted = example.labels[golds];
      if (accepted.length === 0) return notApplicable("No answer was given to compare with.");
      const prediction = output[answer];
      const value = formula(prediction, accepted);
      const wanted = accepted.map((gold) => `"${gold}"`).join(" or ");
      return scored(
        value,
        value === 1
          ? `The answer "${prediction}" is right.`
          : `The answer was "${prediction}"; expected ${wanted}.`,
      );
    },
  });
}
