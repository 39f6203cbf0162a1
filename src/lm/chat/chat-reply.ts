import { LmError } from "../../errors/index.ts";
import type { FinishReason, GeneratedToken, LmReply, LmUsage } from "../../contract/index.ts";
import type { WireLogprobs, WireUsage } from "./chat-envelope.ts";

/** The parts of a complete reply. */
export interface ReplyParts {
  readonly model: string;
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly finishReason: string | null | undefined;
  readonly usage: WireUsage;
  readonly logprobs: WireLogprobs;
}

/** @param hasLogprobs whether they were requested; a server may silently ignore the request */
export function chatReply(
  { model, content, reasoning, finishReason, usage, logprobs }: ReplyParts,
  { hasLogprobs, latencyMs }: { readonly hasLogprobs: boolean; readonly latencyMs: number },
): LmReply {
  return {
    content,
    reasoning,
    finishReason: finishReasonOf(finishReason),
    usage: usageOf(usage),
    ...(hasLogprobs ? { logprobs: tokensOf(logprobs) } : {}),
    model,
    latencyMs,
    source: "server",
  };
}

function finishReasonOf(reason: string | null | undefined): FinishReason {
  switch (reason) {
    case "stop":
    case "length":
      return reason;
    case "content_filter":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return "tool-calls";
    case "abort":
      throw new LmError({
        code: "lm-server-error",
        problem: "The server gave up generating (finish reason `abort`)",
      });
    default:
      return "other";
  }
}

function usageOf(usage: WireUsage): LmUsage {
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedPromptTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? null,
  };
}

function tokensOf(logprobs: WireLogprobs): readonly GeneratedToken[] {
  if (!logprobs?.content) {
    throw new LmError({
      code: "lm-unsupported",
      problem: "The server ignored the request for log-probabilities",
      fix: "Use a server that reports them, as vLLM does, or do not ask for `topLogprobs`.",
    });
  }
  return logprobs.content.map(({ token, logprob, top_logprobs: top }) => ({ token, logprob, top }));
}
