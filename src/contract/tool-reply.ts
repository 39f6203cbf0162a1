import type { LmReply, LmRequest } from "./language-model.ts";
import type { ToolOutcome } from "./tool.ts";

/** Where the request of a call with side effects says which call it is. */
export const oncePlace = "once";

/** Whether a call must not be repeated if its end is unknown. */
export function isOnce({ extraBody }: LmRequest): boolean {
  return extraBody !== undefined && oncePlace in extraBody;
}

/** The reply that holds an outcome. */
export function toolReply(outcome: ToolOutcome, model: string, latencyMs: number): LmReply {
  return {
    content: JSON.stringify(outcome),
    reasoning: null,
    finishReason: "stop",
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      cachedPromptTokens: null,
      reasoningTokens: null,
    },
    model,
    latencyMs,
    source: "server",
  };
}
