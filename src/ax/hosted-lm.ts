import type {
  FinishReason,
  LanguageModel,
  LmCallOptions,
  LmDelta,
  LmReply,
  LmRequest,
  LmUsage,
} from "../contract/index.ts";
import { mediaIn } from "../contract/index.ts";
import { gaveUp, LmError, refusedMedia, refuseUnsupported } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import {
  bodyLimits,
  checkHeaders,
  defaultMaxReplyBytes,
  foreignJson,
  growingText,
  secretMask,
  systemClock,
  wellFormed,
} from "../internal/index.ts";
import { axMessage } from "./ax-message.ts";
import type { AxAIArgs, AxChatRequest, AxChatResponse } from "./ax.ts";
import { ai } from "./ax.ts";
import { hostedFault, hostedFetch } from "./hosted-fetch.ts";

export interface HostedOptions {
  /** ax's name for the provider: `"openai"`, `"anthropic"`, `"google-gemini"`... */
  readonly provider: string;
  readonly model: string;
  readonly apiKey?: string;
  /** URL of the provider's API, if not its usual address. */
  readonly apiUrl?: string;
  /** A ready service from any copy of ax; the options above then only name it. */
  readonly service?: HostedService;
  /**
   * Sends the JSON schema for constrained decoding. `false` for a model without it: the prompt
   * alone must then suffice. @default true
   */
  readonly constrain?: boolean;
  /**
   * Maximum size of a reply, in bytes. A larger reply is dropped, its connection closed, and the
   * call fails. A ready service has its own `fetch`, to which this limit does not apply. @default
   * 67_108_864 (64 MiB)
   */
  readonly maxReplyBytes?: number;
  readonly clock?: Clock;
}

/** The part of ax's `AxAIService` that we use. */
export interface HostedService {
  getFeatures(model?: string): { readonly hasThinkingBudget?: boolean };
  chat(request: unknown, options?: unknown): Promise<unknown>;
}

/**
 * A model of any hosted provider, through ax. Rejects requests for what ax cannot pass on:
 * log-probabilities, top-k, min-p, repetition penalty, further body keys. Silently drops two
 * settings that every request has: the seed, so repeated runs may differ, and `thinking: false` for
 * a model that cannot think.
 */
export function hosted(options: HostedOptions): LanguageModel {
  const { provider, model, constrain = true, clock = systemClock } = options;
  const masked = secretMask([options.apiKey ?? ""]);
  const service = options.service ?? serviceFor(options, masked);
  const canThink = service.getFeatures(model).hasThinkingBudget === true;

  async function doGenerate(request: LmRequest, call: LmCallOptions = {}): Promise<LmReply> {
    call.signal?.throwIfAborted();
    checkHeaders({ authorization: options.apiKey ?? "" }, `provider \`${provider}\``);
    checkSupported(request, canThink);
    const startMs = clock.now();
    try {
      const { onDelta } = call;
      const isStreamed = onDelta !== undefined;
      const asked = chatRequest(wellFormed(request), { model, constrain, isStreamed });
      const given = (await service.chat(asked, {
        stream: isStreamed,
        // Retries belong to the wrappers around this model.
        retry: { maxRetries: 0 },
        ...(call.signal === undefined ? {} : { abortSignal: call.signal }),
        ...(canThink && request.thinking !== undefined
          ? { thinkingTokenBudget: request.thinking ? "medium" : "none" }
          : {}),
      })) as AxChatResponse | ReadableStream<AxChatResponse>;
      if (given instanceof ReadableStream) {
        const response = await readHostedStream(given, onDelta ?? (() => undefined));
        return replyOf(response, model, clock.now() - startMs);
      }
      const reply = replyOf(given, model, clock.now() - startMs);
      return deliverWhole(reply, onDelta);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw refusedMedia(hostedFault(error, provider, masked), model, mediaIn(request.messages));
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
    // ax types each provider separately; it checks the name when it creates the service.
  } as unknown as AxAIArgs<string>);
}

function checkSupported(request: LmRequest, canThink: boolean): void {
  const { sampling, topLogprobs, extraBody, thinking } = request;
  refuseUnsupported(
    {
      topLogprobs: topLogprobs !== undefined,
      extraBody: extraBody !== undefined,
      topK: sampling.topK !== 0,
      minP: sampling.minP !== 0,
      repetitionPenalty: sampling.repetitionPenalty !== 1,
      thinking: thinking === true && !canThink,
    },
    {
      what: "A hosted model",
      fix: "Omit it, or use `openAiCompatible` if the provider speaks that protocol.",
    },
  );
}

function chatRequest(
  request: LmRequest,
  {
    model,
    constrain,
    isStreamed,
  }: { readonly model: string; readonly constrain: boolean; readonly isStreamed: boolean },
): AxChatRequest {
  const { messages, sampling, responseSchema, tools } = request;
  return {
    model,
    chatPrompt: messages.map(axMessage),
    modelConfig: {
      stream: isStreamed,
      temperature: sampling.temperature,
      topP: sampling.topP,
      presencePenalty: sampling.presencePenalty,
      frequencyPenalty: sampling.frequencyPenalty,
      maxTokens: sampling.maxCompletionTokens,
      stopSequences: [...sampling.stop],
    },
    ...(tools && {
      functions: tools as NonNullable<AxChatRequest["functions"]>,
      functionCall: request.toolChoice ?? "auto",
    }),
    ...(constrain && responseSchema !== undefined
      ? {
          responseFormat: {
            type: "json_schema",
            schema: { name: responseSchema.name, schema: responseSchema.schema, strict: true },
          },
        }
      : {}),
  };
}

function replyOf(response: AxChatResponse, model: string, latencyMs: number): LmReply {
  const [result] = response.results ?? [];
  const used = response.modelUsage;
  if (result === undefined) {
    throw new LmError({
      code: "lm-bad-envelope",
      problem: "The provider's reply has no result",
      got: foreignJson(response).slice(0, 200),
    });
  }
  // ax says so of content filters too; who cannot tell must not score.
  if (result.finishReason === "error") throw gaveUp("provider", result.finishReason);
  const calls = (result.functionCalls ?? []).map(({ id, function: { name, params } }) => ({
    id,
    name,
    arguments: typeof params === "string" ? params : JSON.stringify(params ?? {}),
  }));
  return {
    content: result.content ?? null,
    reasoning: result.thought ?? null,
    ...(calls.length > 0 && { toolCalls: calls }),
    finishReason: result.finishReason ? finishReasons[result.finishReason] : "other",
    usage: usageOf(used?.tokens),
    model: used?.model || model,
    latencyMs,
    source: "server",
  };
}

const finishReasons = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  function_call: "tool-calls",
} as const satisfies Record<string, FinishReason>;

type AxTokens = NonNullable<NonNullable<AxChatResponse["modelUsage"]>["tokens"]>;

/** ax counts tokens read from or written to a prompt cache separately from other prompt tokens. */
function usageOf(tokens: AxTokens | undefined): LmUsage {
  const { cacheReadTokens, cacheCreationTokens } = tokens ?? {};
  return {
    promptTokens:
      tokens === undefined
        ? null
        : tokens.promptTokens + (cacheReadTokens ?? 0) + (cacheCreationTokens ?? 0),
    completionTokens: tokens?.completionTokens ?? null,
    cachedPromptTokens: cacheReadTokens ?? null,
    reasoningTokens: tokens?.reasoningTokens ?? tokens?.thoughtsTokens ?? null,
  };
}

/** A service may answer with a whole reply where a stream was asked for. */
function deliverWhole(reply: LmReply, onDelta: LmCallOptions["onDelta"]): LmReply {
  const { content, reasoning } = reply;
  if (content || reasoning) {
    onDelta?.({ ...(content ? { content } : {}), ...(reasoning ? { reasoning } : {}) });
  }
  return reply;
}

type AxResult = AxChatResponse["results"][number];

/**
 * Reads a stream of ax to its end, hands on its pieces, and puts them together as one response.
 *
 * @throws LmError `lm-unreachable` for a stream that ends before its finish reason
 */
async function readHostedStream(
  stream: ReadableStream<AxChatResponse>,
  onDelta: (delta: LmDelta) => void,
): Promise<AxChatResponse> {
  const [content, thought] = [growingText(), growingText()];
  let finishReason: AxResult["finishReason"];
  let modelUsage: AxChatResponse["modelUsage"];
  const calls = new Map<string, NonNullable<AxResult["functionCalls"]>[number]>();
  for await (const piece of stream as unknown as AsyncIterable<AxChatResponse>) {
    modelUsage = piece.modelUsage ?? modelUsage;
    const [result] = piece.results;
    if (result === undefined) continue;
    finishReason = result.finishReason ?? finishReason;
    for (const call of result.functionCalls ?? []) {
      const before = calls.get(call.id)?.function;
      const { name, params } = call.function;
      const joined =
        typeof params === "string" && typeof before?.params === "string"
          ? before.params + params
          : (params ?? before?.params);
      calls.set(call.id, {
        ...call,
        function: { name: before?.name || name, ...(joined !== undefined && { params: joined }) },
      });
    }
    const { content: text = "", thought: thinking = "" } = result;
    content.add(text);
    thought.add(thinking);
    if (text !== "" || thinking !== "") {
      onDelta({
        ...(text !== "" && { content: text }),
        ...(thinking !== "" && { reasoning: thinking }),
      });
    }
  }
  if (finishReason === undefined) {
    throw new LmError({
      code: "lm-unreachable",
      problem: "The provider's stream ended before the reply was complete",
    });
  }
  return {
    results: [
      {
        index: 0,
        finishReason,
        ...(content.length > 0 && { content: content.text() }),
        ...(thought.length > 0 && { thought: thought.text() }),
        ...(calls.size > 0 && { functionCalls: [...calls.values()] }),
      },
    ],
    ...(modelUsage && { modelUsage }),
  };
}
