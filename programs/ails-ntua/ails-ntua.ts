import { program, rankedPassages } from "espalier";
import { answerModules, answerWithGate } from "./answerability/answer.ts";
import { gatedOutput } from "./answerability/index.ts";
import type { GenerationOptions } from "./generation/index.ts";
import type { AilsRetrievalParts } from "./retrieval/index.ts";
import { retrievalInput, retrievalModules, retrieveByRewrites } from "./retrieval/index.ts";

/**
 * The complete AILS-NTUA system (SemEval-2026 Task 8, Task C): retrieval by five rewrites, the
 * answerability gate on the best passages, and generation from evidence spans or a refusal.
 */
export function ailsNtua({
  sampling,
  seed = 42,
  upTo = "adjustment",
  ...parts
}: AilsRetrievalParts & GenerationOptions) {
  const retrieval = retrievalModules(sampling);
  return program({
    name: "ails-ntua",
    version: "1",
    input: retrievalInput,
    output: {
      ...gatedOutput,
      passages: rankedPassages(),
      contexts: rankedPassages("The best of them, which the answer was judged and written from."),
    },
    predictors: { ...retrieval.predictors, ...answerModules.predictors },
    parameters: { ...retrieval.parameters, ...answerModules.parameters },
    forward: async (given, call) => {
      const passages = await retrieveByRewrites(given, call, parts);
      const contexts = passages.slice(0, call.parameters.contextPassages);
      const answered = await answerWithGate({ ...given, passages: contexts }, call, {
        seed,
        upTo,
      });
      return { ...answered, passages, contexts };
    },
  });
}
