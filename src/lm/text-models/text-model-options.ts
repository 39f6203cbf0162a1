import type { JsonObject } from "../../contract/index.ts";
import type { ServerOptions } from "../client/server-connection.ts";

/** A model that embeds, ranks or scores texts. */
export interface TextModelOptions extends ServerOptions {
  readonly model: string;
  /** See `openAiCompatible`. @default "vllm" */
  readonly provider?: string;
  /**
   * Tokens after which the server cuts a text, or a query and text together; -1 for as many as the
   * model takes. Absent: a longer text is an error, `lm-context-overflow`, of the whole request.
   */
  readonly truncatePromptTokens?: number;
}

/** vLLM's key for it; nothing if texts are not to be cut. */
export function truncation(tokens: number | undefined): JsonObject {
  return tokens === undefined ? {} : { truncate_prompt_tokens: tokens };
}
