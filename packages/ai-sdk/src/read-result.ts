import type { FinishReason, LmReply, LmToolCall, LmUsage } from "../../../src/index.ts";
import { gaveUp, LmError } from "../../../src/errors/index.ts";
import { foreignJson, isObject } from "../../../src/internal/index.ts";
import type { AiSdkResult, AiSdkUsage } from "./ai-sdk-model.ts";

/**
 * @throws LmError `lm-bad-envelope`; `lm-server-error` if the provider gave up; `lm-unreachable` if
 *   the reply was cut off on its way
 */
export function replyOf(
  { content, finishReason, usage, response }: AiSdkResult,
  model: string,
  latencyMs: number,
): LmReply {
  const reason = typeof finishReason === "string" ? finishReason : finishReason?.unified;
  if (reason === "interrupted") {
    throw new LmError({
      code: "lm-unreachable",
      problem: "The provider's stream ended before the reply was complete",
    });
  }
  if (reason === "error") throw gaveUp("provider", reason);
  const toolCalls = toolCallsIn(content);
  return {
    content: joined(content, "text"),
    reasoning: joined(content, "reasoning"),
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason: finishReasons[reason ?? ""] ?? "other",
    usage: usageOf(usage),
    model: response?.modelId || model,
    latencyMs,
    source: "server",
  };
}

/** Texts of one kind; `null` where there is none. */
function joined(content: unknown, type: "text" | "reasoning"): string | null {
  if (!Array.isArray(content)) throw badEnvelope(content);
  const texts = content.flatMap((part: unknown) =>
    isObject(part) && part["type"] === type && typeof part["text"] === "string"
      ? [part["text"]]
      : [],
  );
  return texts.length === 0 ? null : texts.join("");
}

/** The calls that we are to make, and not those that the provider has made itself. */
function toolCallsIn(content: AiSdkResult["content"]): readonly LmToolCall[] {
  return content.filter(isToolCall).map(({ toolCallId, toolName, input }, index) => ({
    id: toolCallId || `call-${index + 1}`,
    name: toolName,
    arguments: typeof input === "string" ? input : foreignJson(input ?? {}),
  }));
}

/** A part of a result or of a stream that asks for a call. */
export function isToolCall(part: unknown): part is AiSdkResultCall {
  return (
    isObject(part) &&
    part["type"] === "tool-call" &&
    typeof part["toolName"] === "string" &&
    part["providerExecuted"] !== true
  );
}

interface AiSdkResultCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON, as the model wrote it. */
  readonly input: unknown;
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  "tool-calls": "tool-calls",
};

function usageOf(usage: AiSdkUsage | undefined): LmUsage {
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  const cached = typeof input === "object" ? input?.cacheRead : usage?.cachedInputTokens;
  const reasoning = typeof output === "object" ? output?.reasoning : usage?.reasoningTokens;
  return {
    promptTokens: totalOf(input),
    completionTokens: totalOf(output),
    cachedPromptTokens: said(cached, usage?.raw, /cache/i),
    reasoningTokens: said(reasoning, usage?.raw, /reason|thought|thinking/i),
  };
}

function totalOf(
  count: number | { readonly total?: number | undefined } | undefined,
): number | null {
  const total = typeof count === "object" ? count?.total : count;
  // Version 2 says NaN where the provider is silent.
  return Number.isFinite(total) ? (total as number) : null;
}

/** Some providers fill in 0 for what their server does not tell. */
function said(count: number | undefined, raw: unknown, name: RegExp): number | null {
  if (count === undefined) return null;
  return count === 0 && raw !== undefined && !name.test(foreignJson(raw)) ? null : count;
}

function badEnvelope(got: unknown): LmError {
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The provider's reply has no content",
    got: foreignJson(got).slice(0, 200),
  });
}
