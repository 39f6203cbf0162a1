import type { ClientCall, JsonObject } from "../../../../contract/index.ts";
import type { ChatOutcome, ChatUsage } from "../../../model/chat-exchange.ts";

/** The common head of all objects of one reply. */
export interface CompletionHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The name that the client used. */
  readonly model: string;
  /** Says that a mock answered; absent if a model did. */
  readonly system_fingerprint?: string;
}

/** The usage object of OpenAI's API. */
export interface CompletionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

/** OpenAI's usage, with details if all servers report them; `undefined` where one has no counts. */
export function usageOf({
  promptTokens,
  completionTokens,
  cachedPromptTokens,
  reasoningTokens,
}: ChatUsage): CompletionUsage | undefined {
  if (promptTokens === null || completionTokens === null) return undefined;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedPromptTokens !== null && {
      prompt_tokens_details: { cached_tokens: cachedPromptTokens },
    }),
    ...(reasoningTokens !== null && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  };
}

/** Fields that OpenAI's API has no place for. */
export interface CompletionMetadata {
  readonly request_id: string;
  /** Version of the program: the first digits of an artifact's hash, or `declared`. */
  readonly version: string;
  readonly lm_calls: number;
  readonly ignored_messages: number;
}

export function metadataOf(
  { version, usage }: ChatOutcome,
  { id, ignoredMessages }: { readonly id: string; readonly ignoredMessages: number },
): CompletionMetadata {
  return {
    request_id: id,
    version,
    lm_calls: usage.lmCalls,
    ignored_messages: ignoredMessages,
  };
}

export interface SentCall extends ClientCall {
  readonly id: string;
}

export interface WholeReply {
  /** The answer, or the output as JSON. */
  readonly text: string;
  /** Calls that the client has to make instead. */
  readonly calls?: readonly SentCall[];
  readonly metadata: CompletionMetadata;
}

/** A whole reply: citations are addresses here, but objects in a stream. */
export function completion(
  head: CompletionHead,
  outcome: ChatOutcome,
  { text, calls, metadata }: WholeReply,
): JsonObject {
  const { citations, contexts, usage } = outcome;
  const counts = usageOf(usage);
  return {
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls === undefined ? text : null,
          refusal: null,
          ...(calls && { tool_calls: calls.map(toolCallOf) }),
          citations: citations.map(({ url }) => url),
          contexts: [...contexts],
        },
        logprobs: null,
        finish_reason: calls === undefined ? "stop" : "tool_calls",
      },
    ],
    ...(counts && { usage: { ...counts } }),
    metadata: { ...metadata },
  };
}

/** Calls with ids that no other reply has. */
export function sentCalls(calls: readonly ClientCall[], replyId: string): readonly SentCall[] {
  const digits = replyId.slice(replyId.indexOf("-") + 1);
  return calls.map((call, index) => ({ id: `call_${digits}_${index}`, ...call }));
}

/** A call in the form of chat completions. */
export function toolCallOf({ id, name, arguments: given }: SentCall): JsonObject {
  return { id, type: "function", function: { name, arguments: given } };
}
