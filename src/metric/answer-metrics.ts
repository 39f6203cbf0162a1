import type { Example, Metric } from "../contract/index.ts";
import { metric } from "./metric.ts";
import { notApplicable, scored } from "./scores.ts";
import { exactMatchOf, tokenF1Of } from "./squad.ts";

export interface AnswerSides<TInput, TOutput, TLabels> {
  readonly answer: (output: TOutput) => string;
  /** Accepted answers; the best one counts. None: the metric does not apply. */
  readonly golds: (example: Example<TInput, TLabels>) => readonly string[];
}

/** Metric `exact_match`: 1 when the answer equals an accepted one after SQuAD's normalisation. */
export function exactMatch<TInput, TOutput, TLabels>(
  sides: AnswerSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return answerMetric("exact_match", exactMatchOf, sides);
}

/** Metric `token_f1`: partial credit for shared words; see `exactMatch` for all or nothing. */
export function tokenF1<TInput, TOutput, TLabels>(
  sides: AnswerSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return answerMetric("token_f1", tokenF1Of, sides);
}

function answerMetric<TInput, TOutput, TLabels>(
  name: string,
  formula: (prediction: string, golds: readonly string[]) => number,
  { answer, golds }: AnswerSides<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels> {
  return metric<TInput, TOutput, TLabels>({
    name,
    version: "1",
    score: ({ example, output }) => {
      const accepted = golds(example);
      if (accepted.length === 0) return notApplicable("No answer was given to compare with.");
      const prediction = answer(output);
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
