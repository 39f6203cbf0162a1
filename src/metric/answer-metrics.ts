import type { Blame, Metric, MetricArguments } from "../contract/index.ts";
import { accuracyOf, exactMatchOf, tokenF1Of } from "./formula/squad.ts";
import { metric } from "./score/metric.ts";
import { notApplicable, scored } from "./score/scores.ts";

/** The names of the two fields; a misspelt name does not compile in a study. */
export interface AnswerSides<TAnswer extends string, TGolds extends string> {
  /** Output field that holds the answer. */
  readonly answer: TAnswer;
  /**
   * Label that holds the accepted answer, or lists several; the best one counts. If the list is
   * empty, the metric does not apply.
   */
  readonly golds: TGolds;
  /** Which parts of the program are responsible for the score, given the run. @default none */
  readonly blame?: (judged: JudgedAnswer) => readonly Blame[];
}

/** Input of a blame rule. */
export interface JudgedAnswer extends Pick<
  MetricArguments<unknown, unknown, unknown>,
  "trace" | "example" | "output"
> {
  readonly prediction: string;
  readonly golds: readonly string[];
  /** In [0, 1]. */
  readonly value: number;
}

export type AnswerMetric<TAnswer extends string, TGolds extends string> = Metric<
  unknown,
  { readonly [K in TAnswer]: string },
  { readonly [K in TGolds]: string | readonly string[] }
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

/** Metric `accuracy`: 1 when the answer contains an accepted one. See `accuracyOf`. */
export function accuracy<const TAnswer extends string, const TGolds extends string>(
  sides: AnswerSides<TAnswer, TGolds>,
): AnswerMetric<TAnswer, TGolds> {
  return answerMetric("accuracy", accuracyOf, sides);
}

const noGold = "No answer was given to compare with.";

function answerMetric<TAnswer extends string, TGolds extends string>(
  name: string,
  formula: (prediction: string, golds: readonly string[]) => number,
  { answer, golds, blame }: AnswerSides<TAnswer, TGolds>,
): AnswerMetric<TAnswer, TGolds> {
  return metric({
    name,
    version: "1",
    appliesTo: ({ labels }) => acceptedIn(labels[golds]).length > 0,
    score: ({ example, output, trace }) => {
      const accepted = acceptedIn(example.labels[golds]);
      if (accepted.length === 0) return notApplicable(noGold);
      const prediction = output[answer];
      const value = formula(prediction, accepted);
      return scored(
        value,
        value === 1 ? `The answer "${prediction}" is right.` : shortfall(prediction, accepted),
        blame?.({ trace, example, output, prediction, golds: accepted, value }),
      );
    },
    formatFailure: ({ message }, { labels }) =>
      acceptedIn(labels[golds]).length === 0 ? notApplicable(noGold) : scored(0, message),
  });
}

function acceptedIn(golds: string | readonly string[]): readonly string[] {
  return typeof golds === "string" ? [golds] : golds;
}

function shortfall(prediction: string, golds: readonly string[]): string {
  const wanted = golds.map((gold) => `"${gold}"`).join(" or ");
  return `The answer was "${prediction}"; expected ${wanted}.`;
}
