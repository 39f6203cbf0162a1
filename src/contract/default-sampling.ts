import type { Sampling } from "./language-model.ts";

/** Greedy decoding with room for 4,096 tokens; every other setting is off. */
export const defaultSampling: Sampling = Object.freeze({
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  maxCompletionTokens: 4096,
  stop: Object.freeze([]),
});
