import type { JsonObject } from "../../contract/index.ts";

/** Keys of the request body that turn a hybrid model's thinking on or off. */
export type ThinkingTemplate = (thinking: boolean) => JsonObject;

/**
 * The templates of the reasoning model families, named after the key that their chat template or
 * API reads.
 */
export const thinkingTemplates = {
  /** Qwen3 and most others on vLLM. */
  enableThinking: (thinking: boolean): JsonObject => ({
    chat_template_kwargs: { enable_thinking: thinking },
  }),
  /** Granite, DeepSeek-V3.1. */
  thinking: (thinking: boolean): JsonObject => ({ chat_template_kwargs: { thinking } }),
  /** gpt-oss and OpenAI's own models; these cannot turn thinking off entirely. */
  reasoningEffort: (thinking: boolean): JsonObject => ({
    reasoning_effort: thinking ? "medium" : "low",
  }),
} as const;
