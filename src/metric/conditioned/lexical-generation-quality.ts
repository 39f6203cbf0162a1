import type { Metric } from "../../contract/index.ts";
import { asksBackByRule, declinesByRule } from "./verdicts-by-rule.ts";
import type { BlamedPredictors } from "../score/blame.ts";
import type { GenerationLabels, GenerationOutput, GenerationSides } from "./generation-sides.ts";
import { generationOf } from "./generation-sides.ts";
import { idkConditionedHarmonicMean } from "./idk-conditioned.ts";
import { lexicalAgreementOf } from "../formula/rb-agg.ts";

/**
 * Metric `lexical_generation_quality`: quality of a generation without any model. The proxy for
 * RB_agg (`lexicalAgreementOf`), conditioned on whether the response rightly declined or asked
 * back, by rules (`declinesByRule`, `asksBackByRule`). Cheap enough for a search, but blind to
 * faithfulness: for claims, use `generationQuality` of `espalier/judge`.
 *
 * @example
 * lexicalGenerationQuality({
 *   answer: "answer",
 *   passages: "passages",
 *   reference: "answer",
 *   answerability: "answerability",
 *   blame: { abstaining: ["classifyAnswerability"], answering: ["writeCompleteAnswer"] },
 * })
 */
export function lexicalGenerationQuality<
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
  const TAnswerability extends string,
  const TRelevant extends string = never,
>({
  blame = {},
  ...sides
}: GenerationSides<TAnswer, TPassages, TReference, TAnswerability, TRelevant> & {
  /** @default no predictor is blamed */
  readonly blame?: BlamedPredictors;
}): Metric<
  unknown,
  GenerationOutput<TAnswer, TPassages>,
  GenerationLabels<TReference, TAnswerability, NoInfer<TRelevant>>
> {
  return idkConditionedHarmonicMean({
    name: "lexical_generation_quality",
    version: "1",
    objectives: ["lexical_agreement"],
    blame,
    judge: (args) => {
      const generation = generationOf(sides, args);
      const { response, reference, passages, answerability, evidence } = generation;
      const texts = passages.map(({ text }) => text);
      return {
        answerability,
        ...(reference !== undefined && { reference }),
        ...(evidence && { evidence }),
        idk: declinesByRule(response),
        clarification: asksBackByRule(response),
        objectives: {
          lexical_agreement:
            reference === undefined
              ? { value: null }
              : {
                  value: lexicalAgreementOf({ response, reference, passages: texts }),
                  text: `The answer was "${response}"; a good one is "${reference}".`,
                },
        },
      };
    },
  });
}
