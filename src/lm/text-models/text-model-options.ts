import type { JsonObject } from "../../contract/index.ts";
import type { ServerOptions } from "../client/server-connection.ts";

/** A model that embeds, ranks or scores texts. */
export interface TextModelOptions extends ServerOptions {
  readonly model: string;
  /** See `openAiCompatible`. @default "vllm" */
  readonly provider?: string;
  /**
   * Tokens after which the server truncates a text, or a query and text together; -1 for the
   * model's maximum. Without it, a longer text fails the whole request with `lm-context-overflow`.
   */
  readonly truncatePromptTokens?: number;
}

/** vLLM's key for it; nothing if texts are not to be cut. */
export function truncation(tokens: number | undefined): JsonObject {
  return tokens === undefined ? {} : { truncate_prompt_tokens: tokens };
}
