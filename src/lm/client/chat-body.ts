import type OpenAI from "openai";
import type { JsonObject } from "../../contract/index.ts";

/** The body of `POST /chat/completions`: OpenAI's parameters and vLLM's additional keys. */
export type ChatBody = Parameters<OpenAI["chat"]["completions"]["create"]>[0] & VllmKeys;

interface VllmKeys {
  /** -1 turns it off. */
  readonly top_k?: number;
  readonly min_p?: number;
  readonly repetition_penalty?: number;
  readonly chat_template_kwargs?: JsonObject;
}
