import type {
  FinishReason,
  LanguageModel,
  LmCallOptions,
  LmReply,
  LmRequest,
  LmUsage,
} from "../contract/index.ts";
import { LmError } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import {
  bodyLimits,
  defaultMaxReplyBytes,
  foreignJson,
  secretMask,
  systemClock,
} from "../internal/index.ts";
import type { AxAIArgs, AxChatRequest, AxChatResponse } from "./ax.ts";
import { ai } from "./ax.ts";
import { hostedFault } from "./hosted-fault.ts";
import { hostedFetch } from "./hosted-fetch.ts";

export interface HostedOptions {
  /** Name of the provider as ax knows it: `"openai"`, `"anthropic"`, `"google-gemini"`... */
  readonly provider: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Where the provider's API is, if not at its usual address. */
  readonly apiUrl?: string;
  /** A ready service of ax, whichever copy of it; the options above then only name it. */
  readonly service?: HostedService;
  /**
   * Sends the JSON schema for constrained decoding. `false` for a model that has none: the prompt
   * then has to suffice. @default true
   */
  readonly constrain?: boolean;
  /**
   * Largest reply that is read, in bytes. A larger one is dropped, its connection closed and the call
   * failed. A ready service has its own `fetch`, and no limit from here. @default 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  readonly clock?: Clock;
}

/** What is asked of ax's `AxAIService`. */
export interface HostedService {
  getFeatures(model?: string): { readonly hasThinkingBudget?: boolean };
  chat(request: unknown, options?: unknown): Promise<unknown>;
}

/**
 * A model of any hosted provider, through ax. What ax cannot pass on is refused: log-probabilities,
 * top-k, min-p, repetition penalty, further body keys. Two things are dropped instead, since each
 * request has them: the seed, so repeated runs may differ, and the wish not to think where a model
 * cannot. Streams arrive in one piece.
 */
export function hosted(options: HostedOptions): LanguageModel {
  const { provider, model, constrain = true, clock = systemClock } = options;
  const masked = secretMask([options.apiKey ?? ""]);
  const service = options.service ?? serviceFor(options, masked);
  const canThink = service.getFeatures(model).hasThinkingBudget === true;

  async function doGenerate(request: LmRequest, call: LmCallOptions = {}): Promise<LmReply> {
    call.signal?.throwIfAborted();
    refuseUnsupported(request, canThink);
    const startMs = clock.now();
    try {
      const asked = chatRequest(request, model, constrain);
      const response = (await service.chat(asked, {
        stream: false,
        // Retrying is for whoever wraps this.
        retry: { maxRetries: 0 },
        ...(call.signal === undefined ? {} : { abortSignal: call.signal }),
        ...(canThink && request.thinking !== undefined
          ? { thinkingTokenBudget: request.thinking ? "medium" : "none" }
          : {}),
      })) as AxChatResponse | ReadableStream<AxChatResponse>;
      const reply = replyOf(response, model, clock.now() - startMs);
      if (reply.content || reply.reasoning) call.onDelta?.(deltaOf(reply));
      return reply;
    } catch (error) {
      call.signal?.throwIfAborted();
      throw hostedFault(error, provider, masked);
    }
  }

  return { identity: { provider, model }, doGenerate };
}

function serviceFor(
  { provider, model, apiKey, apiUrl, maxReplyBytes = defaultMaxReplyBytes }: HostedOptions,
  masked: (text: string) => string,
): HostedService {
  return ai({
    name: provider,
    apiKey,
    apiURL: apiUrl,
    config: { model, stream: false },
    options: { fetch: hostedFetch({ provider, limits: bodyLimits(maxReplyBytes), masked }) },
    // Without this, ax sends a schema only for models it has verified itself.
    modelInfo: [
      { name: model, supported: { structuredOutputs: true, structuredOutputModes: ["native"] } },
    ],
    // ax types each provider by itself; the name is checked when the service is made.
  } as unknown as AxAIArgs<string>);
}

function refuseUnsupported(request: LmRequest, canThink: boolean): void {
  const { sampling, topLogprobs, extraBody, thinking } = request;
  const asked = {
    topLogprobs: topLogprobs !== undefined,
    extraBody: extraBody !== undefined,
    topK: sampling.topK !== 0,
    minP: sampling.minP !== 0,
    repetitionPenalty: sampling.repetitionPenalty !== 1,
    thinking: thinking === true && !canThink,
  };
  const names = Object.entries(asked).flatMap(([name, isAsked]) =>
    isAsked ? [`\`${name}\``] : [],
  );
  if (names.length === 0) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `A hosted model cannot be asked for ${names.join(", ")}`,
    fix: "Leave it out, or use `openAiCompatible` if the provider speaks that protocol.",
  });
}

function chatRequest(request: LmRequest, model: string, constrain: boolean): AxChatRequest {
  const { messages, sampling, responseSchema } = request;
  return {
    model,
    chatPrompt: messages.map(({ role, content }) => ({ role, content })),
    modelConfig: {
      stream: false,
      temperature: sampling.temperature,
      topP: sampling.topP,
      presencePenalty: sampling.presencePenalty,
      frequencyPenalty: sampling.frequencyPenalty,
      maxTokens: sampling.maxCompletionTokens,
      stopSequences: [...sampling.stop],
    },
    ...(constrain && responseSchema !== undefined
      ? { responseFormat: { type: "json_schema", schema: { ...responseSchema, strict: true } } }
      : {}),
  };
}

function replyOf(
  response: AxChatResponse | ReadableStream<AxChatResponse>,
  model: string,
  latencyMs: number,
): LmReply {
  const [result] = "results" in response ? response.results : [];
  const used = "modelUsage" in response ? response.modelUsage : undefined;
  if (result === undefined || used?.tokens === undefined) {
    throw new LmError({
      code: "lm-bad-envelope",
      problem: "The provider's reply has no result or no usage",
      got: foreignJson(response).slice(0, 200),
    });
  }
  return {
    content: result.content ?? null,
    reasoning: result.thought ?? null,
    finishReason: finishReasons[result.finishReason ?? "error"],
    usage: usageOf(used.tokens),
    model: used.model || model,
    latencyMs,
    source: "server",
  };
}

const finishReasons = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  function_call: "tool-calls",
  error: "other",
} as const satisfies Record<string, FinishReason>;

type AxTokens = NonNullable<NonNullable<AxChatResponse["modelUsage"]>["tokens"]>;

/** ax counts what came from or went into a prompt cache apart from the other prompt tokens. */
function usageOf(tokens: AxTokens): LmUsage {
  return {
    promptTokens:
      tokens.promptTokens + (tokens.cacheReadTokens ?? 0) + (tokens.cacheCreationTokens ?? 0),
    completionTokens: tokens.completionTokens,
    cachedPromptTokens: tokens.cacheReadTokens ?? null,
    reasoningTokens: tokens.reasoningTokens ?? tokens.thoughtsTokens ?? null,
  };
}

function deltaOf({ content, reasoning }: LmReply): { content?: string; reasoning?: string } {
  return { ...(content ? { content } : {}), ...(reasoning ? { reasoning } : {}) };
}
