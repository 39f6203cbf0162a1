import type { JsonObject } from "../../contract/index.ts";

/** Keys of the request body that ask a hybrid model to think, or not to. */
export type ThinkingTemplate = (thinking: boolean) => JsonObject;

/** How the families of reasoning models are told, by the key their chat template or API reads. */
export const thinkingTemplates = {
  /** Qwen3 and most others on vLLM. */
  enableThinking: (thinking: boolean): JsonObject => ({
    chat_template_kwargs: { enable_thinking: thinking },
  }),
  /** Granite, DeepSeek-V3.1. */
  thinking: (thinking: boolean): JsonObject => ({ chat_template_kwargs: { thinking } }),
  /** gpt-oss, and OpenAI's own models; these cannot stop thinking altogether. */
  reasoningEffort: (thinking: boolean): JsonObject => ({
    reasoning_effort: thinking ? "medium" : "low",
  }),
} as const;
