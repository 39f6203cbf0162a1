import type { Metric } from "espalier";
import { metric, notApplicable, scored, tokenF1Of } from "espalier/metric";
import { answerFigures } from "./answer-figures.ts";
import { blameAnswer } from "./blame-answer.ts";
import { blameEnding } from "./blame-ending.ts";
import { blameRelevance } from "./blame-relevance.ts";
import { blameRouting } from "./blame-routing.ts";
import { blameWording } from "./blame-wording.ts";
import { evidenceIn } from "./evidence.ts";
import { feedbackOn } from "./feedback.ts";
import type { HanragLabels, HanragOutput, PassageOf } from "./labels.ts";
import { readRun } from "./read-run.ts";

export interface AnswerWithFeedbackOptions {
  /** The metric's value; the other one becomes an additional objective. @default "token_f1" */
  readonly value?: "token_f1" | "accuracy";
  /** @default feedback names passages by id */
  readonly passageOf?: PassageOf;
}

/**
 * Judges answers of HANRAG by token F1 or accuracy (for a compound answer, the share of its parts),
 * and tells each part of the program what it did: a wrong route, a search that missed what is
 * needed, a needed passage that was filtered out, an ending too early or too late, a wrong answer
 * despite complete evidence. The detail depends on the labels. Additional objectives:
 * `exact_match`, and `negated_steps`, since fewer are better. Questions without an accepted answer
 * do not count.
 */
export function answerWithFeedback({
  value = "token_f1",
  passageOf = () => undefined,
}: AnswerWithFeedbackOptions = {}): Metric<
  { readonly question: string },
  HanragOutput,
  HanragLabels
> {
  return metric({
    name: value,
    version: "1",
    appliesTo: ({ labels }) => labels.answers.length > 0,
    score: ({ example: { input, labels }, output, trace }) => {
      if (labels.answers.length === 0) return notApplicable("No answer to the question is known.");
      const run = readRun(trace);
      const f1 = tokenF1Of(output.answer, labels.answers);
      const isRight = f1 === 1;
      const evidence = evidenceIn(run, labels);
      const blame = [
        ...blameRouting(run, labels, output),
        ...blameWording(run, labels, evidence),
        ...blameRelevance(run, evidence, { isRight }),
        ...blameEnding(run, labels, { evidence, isRight }),
        ...blameAnswer(run, labels, { output, evidence, f1 }),
      ];
      const feedback = feedbackOn(run, {
        question: input.question,
        labels,
        output,
        evidence,
        f1,
        passageOf,
      });
      const { figure, others } = answerFigures(output, labels, value);
      return scored(figure, feedback, blame, others);
    },
  });
}
