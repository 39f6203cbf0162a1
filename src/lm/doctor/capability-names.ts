/** The trials, in display order. */
export const capabilityNames = [
  "chat",
  "sampling",
  "reasoning",
  "thinkingSwitch",
  "jsonSchema",
  "choice",
  "logprobs",
  "seed",
  "streamingUsage",
  "prefixCaching",
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
