import { int, labelWeight, predict } from "espalier";
import {
  reformulateQuery,
  reviewDocuments,
  reviewWithConfidence,
  varyQuery,
} from "../../signatures/index.ts";
import type { Sampling } from "./answering.ts";
import { answeringPredictors, authorsSampling } from "./answering.ts";
import type { ContextOptions } from "./context-budget.ts";
import { contextBudget } from "./context-budget.ts";
import { searchParameters } from "./find-documents.ts";

export interface SufficiencyOptions {
  /**
   * What ends the research: the verdict that the review wrote, or the likelier verdict after its
   * weight (`sufficiencyWeight`): by the log-probabilities of the reply, or else by the confidence
   * that the review states. @default "label", as the authors
   */
  readonly sufficiency?: "label" | "weighed";
}

const sufficiencyWeight = labelWeight({
  predictor: "reviewDocuments",
  field: "isSufficient",
  label: "true",
});

/** What the review is asked: to weigh its verdict, it also states how sure it is of it. */
export function reviewOf({ sufficiency }: SufficiencyOptions): typeof reviewDocuments {
  return sufficiency === "weighed" ? reviewWithConfidence : reviewDocuments;
}

/** The predictors and parameters of Vanilla Agent, for the programs that contain it. */
export function vanillaAgentModules({
  sampling = authorsSampling,
  sufficiency = "label",
  ...context
}: { readonly sampling?: Sampling } & SufficiencyOptions & ContextOptions) {
  const { contextTokens } = contextBudget(context);
  return {
    predictors: {
      ...answeringPredictors(sampling),
      /** Used until a round finds nothing. */
      varyQueryAtOnce: predict(varyQuery, { sampling, thinking: false }),
      reviewDocuments: predict(reviewOf({ sufficiency }), {
        sampling,
        thinking: true,
        ...(sufficiency === "weighed" && {
          probabilities: { isSufficient: { verbalized: { true: "confidence" } } },
        }),
      }),
      reformulateQuery: predict(reformulateQuery, { sampling, thinking: true }),
    },
    parameters: {
      ...searchParameters,
      /** Maximum query variants per round. */
      agentVariants: int({ default: 5, min: 2, max: 10 }),
      /** Maximum rounds of search. */
      rounds: int({ default: 5, min: 1, max: 20 }),
      /** Tokens of kept documents above which no further round begins: 20,000 of 25,000. */
      stopTokens: int({ default: Math.round(0.8 * contextTokens), min: 1, max: contextTokens }),
      // An artifact knows its parameters.
      ...((sufficiency === "weighed" ? { sufficiencyWeight } : {}) as Record<never, never>),
    },
  } as const;
}

export type VanillaAgentModules = ReturnType<typeof vanillaAgentModules>;
