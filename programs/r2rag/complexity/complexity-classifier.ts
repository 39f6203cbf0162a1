import type { Embedder, TextModelUsage } from "espalier";
import { EspalierError } from "espalier";
import type { ComplexityModel } from "./complexity-model.ts";
import { logisticProbability } from "./logistic-regression.ts";
import { questionInputs, standardized } from "./train-complexity-model.ts";

/**
 * Separates complex questions from simple ones without a language model. Implement `doClassify`.
 */
export interface ComplexityClassifier {
  doClassify(
    question: string,
    options: { readonly signal?: AbortSignal },
  ): Promise<ComplexityVerdict>;
}

export interface ComplexityVerdict {
  readonly isComplex: boolean;
  readonly probability: number;
  /** Usage of the models that it called. */
  readonly usage?: TextModelUsage;
}

/**
 * Classifies with a trained model: one vector per question, no LM call.
 *
 * @param threshold probability from which a question counts as complex. @default 0.5
 * @throws EspalierError `option-invalid` if the model was trained with another embedder
 */
export function complexityClassifier({
  model,
  embedder,
  threshold = 0.5,
}: {
  readonly model: ComplexityModel;
  readonly embedder: Embedder;
  readonly threshold?: number;
}): ComplexityClassifier {
  const wanted = `${model.embedder.provider}/${model.embedder.model}`;
  const got = `${embedder.identity.provider}/${embedder.identity.model}`;
  if (wanted !== got) throw otherEmbedder(wanted, got);
  return {
    doClassify: async (question, { signal }) => {
      const { vectors, usage } = await embedder.doEmbed(
        [question],
        signal === undefined ? {} : { signal },
      );
      const [vector] = vectors;
      if (vector?.length !== model.dimensions) {
        throw otherEmbedder(`${model.dimensions} dimensions`, String(vector?.length));
      }
      const inputs = standardized(questionInputs(question, vector), model);
      const probability = logisticProbability(model, inputs);
      return { isComplex: probability >= threshold, probability, usage };
    },
  };
}

function otherEmbedder(expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "The complexity model was trained with another embedder",
    expected,
    got,
    fix: "Use that embedder, or retrain the model.",
  });
}
