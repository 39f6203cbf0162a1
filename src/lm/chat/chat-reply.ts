import { LmError } from "../../errors/index.ts";
import type {
  FinishReason,
  GeneratedToken,
  LmReply,
  LmToolCall,
  LmUsage,
} from "../../contract/index.ts";
import type { WireLogprobs, WireToolCall, WireUsage } from "./chat-envelope.ts";

/** The parts of a complete reply. */
export interface ReplyParts {
  readonly model: string;
  readonly content: string | null;
  readonly reasoning: string | null;
  /** Pieces with one index belong together. */
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string | null | undefined;
  readonly usage: WireUsage;
  readonly logprobs: WireLogprobs;
}

/** @param hasLogprobs whether they were requested; a server may silently ignore the request */
export function chatReply(
  { model, content, reasoning, toolCalls, finishReason, usage, logprobs }: ReplyParts,
  { hasLogprobs, latencyMs }: { readonly hasLogprobs: boolean; readonly latencyMs: number },
): LmReply {
  const calls = toolCallsOf(toolCalls);
  return {
    content,
    reasoning,
    ...(calls.length > 0 && { toolCalls: calls }),
    finishReason: finishReasonOf(finishReason),
    usage: usageOf(usage),
    ...(hasLogprobs ? { logprobs: tokensOf(logprobs) } : {}),
    model,
    latencyMs,
    source: "server",
  };
}

/** Joins pieces; a server that gives no id gets one by place, which replays alike. */
function toolCallsOf(pieces: readonly WireToolCall[]): readonly LmToolCall[] {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  for (const [place, { index, id, function: given }] of pieces.entries()) {
    const at = index ?? place;
    const call = calls.get(at) ?? { id: "", name: "", arguments: "" };
    call.id ||= id ?? "";
    call.name ||= given?.name ?? "";
    call.arguments += given?.arguments ?? "";
    calls.set(at, call);
  }
  return [...calls.values()].map((call, place) => ({
    ...call,
    id: call.id || `call-${place + 1}`,
  }));
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
