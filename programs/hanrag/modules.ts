import type { Call } from "espalier";
import { choice, int, predict, reason } from "espalier";
import {
  answerDirectly,
  answerFromPassages,
  answerFromSteps,
  decomposeQuestion,
  judgeEnding,
  judgeRelevance,
  refineQuestion,
  routeQuestion,
} from "../../signatures/index.ts";
import type { AblatedPart, HanragOptions } from "./options.ts";
import { routings } from "./options.ts";

/**
 * Predictors and parameters of HANRAG. The paper's Revelator is the first five: one model with five
 * tasks.
 */
export function hanragModules({
  routing = "router",
  without = [],
  emptyEvidence = "no-passages",
  sampling = {},
}: Omit<HanragOptions, "retriever">) {
  const part = (name: AblatedPart) =>
    choice(["on", "off"], { default: without.includes(name) ? "off" : "on" });
  return {
    predictors: {
      routeQuestion: predict(routeQuestion, { sampling }),
      decomposeQuestion: reason(decomposeQuestion, { sampling }),
      refineQuestion: predict(refineQuestion, { sampling }),
      judgeRelevance: predict(judgeRelevance, { sampling }),
      judgeEnding: predict(judgeEnding, { sampling }),
      answerFromPassages: predict(answerFromPassages, { sampling }),
      answerFromSteps: predict(answerFromSteps, { sampling }),
      answerDirectly: predict(answerDirectly, { sampling }),
    },
    parameters: {
      /** Passages that one search retrieves (algorithm 1). */
      depth: int({ default: 10, min: 1, max: 50 }),
      /** Maximum passages that the generator reads (algorithm 1). */
      kept: int({ default: 3, min: 1, max: 10 }),
      /**
       * Maximum cycles of retrieval and generation; the paper's ablation ends at 4.56 on average.
       */
      maxSteps: int({ default: 5, min: 1, max: 10 }),
      /** What decides the route. */
      routing: choice(routings, { default: routing === "oracle" ? "router" : routing }),
      /** Off: the first passages found are read unfiltered. */
      relevance: part("relevance"),
      /** Off: every complex question takes the maximum number of steps. */
      ending: part("ending"),
      /** Off: every step searches with the question itself. */
      refiner: part("refiner"),
      emptyEvidence: choice(["no-passages", "best-found"], { default: emptyEvidence }),
    },
  } as const;
}

type HanragModules = ReturnType<typeof hanragModules>;
export type HanragCall = Call<HanragModules["predictors"], HanragModules["parameters"]>;
