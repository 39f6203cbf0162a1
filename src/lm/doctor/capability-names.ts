/** The trials, in display order. */
export const capabilityNames = [
  "chat",
  "sampling",
  "reasoning",
  "thinkingSwitch",
  "jsonSchema",
  "choice",
  "boundedStrings",
  "compactJson",
  "logprobs",
  "seed",
  "streamingUsage",
  "toolCalls",
  "requiredToolCalls",
  "parallelToolCalls",
  "prefixCaching",
  "cachedTokens",
  "contextOverflow",
  "priority",
  "cacheSalt",
  "tokenize",
  "embeddings",
  "rerank",
  "score",
  "metrics",
] as const;

export type CapabilityName = (typeof capabilityNames)[number];
