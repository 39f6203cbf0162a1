import type { LanguageModel, LmReply, LmRequest } from "../../src/contract/index.ts";
import { openAiCompatible } from "../../src/lm/index.ts";
import { defaultSampling } from "../../src/contract/index.ts";
import type { VllmServer } from "../support/vllm-server.ts";

/** A small request; texts tell requests apart. */
export function requestOf(text: string, more: Partial<LmRequest> = {}): LmRequest {
  const messages = [{ role: "user" as const, content: text }];
  return { messages, sampling: defaultSampling, seed: 3, ...more };
}

export function clientOf({ baseUrl }: VllmServer): LanguageModel {
  return openAiCompatible({ baseUrl, model: "test-model" });
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export const reply: LmReply = {
  content: "hello",
  reasoning: null,
  finishReason: "stop",
  usage: { promptTokens: 20, completionTokens: 2, cachedPromptTokens: null, reasoningTokens: 0 },
  model: "m",
  latencyMs: 10,
  source: "server",
};
