import type { Metric } from "espalier";
import {
  compoundAccuracyOf,
  exactMatchOf,
  metric,
  notApplicable,
  scored,
  tokenF1Of,
} from "espalier/metric";
import type { HanragLabels, HanragOutput } from "./labels.ts";

type AnswerValue = "token_f1" | "accuracy";
type Answered = Pick<HanragOutput, "answer" | "steps">;

/** The paper's figures of an answer: one is the value, the others are additional objectives. */
export function answerFigures(
  { answer, steps }: Answered,
  { answers }: HanragLabels,
  value: AnswerValue,
) {
  const { [value]: figure, ...others } = {
    token_f1: tokenF1Of(answer, answers),
    accuracy: compoundAccuracyOf(answer, answers),
  };
  return {
    figure,
    others: {
      ...others,
      exact_match: exactMatchOf(answer, answers),
      // Not `-steps`, which is minus zero for no steps.
      negated_steps: 0 - steps,
    },
  };
}

/**
 * The figures of `answerWithFeedback` for systems that it does not know the parts of: without
 * blame, and with the expected answer as the only feedback.
 */
export function answerAlone({
  value,
}: {
  readonly value: AnswerValue;
}): Metric<{ readonly question: string }, Answered, HanragLabels> {
  return metric({
    name: value,
    version: "1",
    appliesTo: ({ labels }) => labels.answers.length > 0,
    score: ({ example: { input, labels }, output }) => {
      if (labels.answers.length === 0) return notApplicable("No answer to the question is known.");
      const { figure, others } = answerFigures(output, labels, value);
      const feedback = [
        `Question: ${input.question}`,
        `Expected answer: ${labels.answers.join(" | ")}`,
        `Answer returned: ${output.answer}`,
      ].join("\n");
      return scored(figure, feedback, [], others);
    },
  });
}
