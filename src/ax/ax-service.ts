import type {
  JsonSchema,
  LanguageModel,
  LmCallOptions,
  LmMessage,
  LmReply,
  LmRequest,
  Sampling,
} from "../contract/index.ts";
import { LmError } from "../errors/index.ts";
import { linkedAbort } from "../internal/index.ts";
import type { AxAIFeatures, AxAIService, AxAIServiceMetrics, AxChatRequest } from "./ax.ts";

export interface AxServiceOptions {
  readonly lm: LanguageModel;
  /** Applies where ax sets no value. */
  readonly sampling: Sampling;
  /** Seed of each request; ax has no seed. @default 0 */
  readonly seed?: number;
  /** Passed with each call, combined with ax's own abort signal. */
  readonly callOptions?: Omit<LmCallOptions, "onDelta">;
  /** Receives each request and its reply, which ax does not expose. */
  readonly onReply?: (request: LmRequest, reply: LmReply) => void;
}

/**
 * Lets ax's own programs run on one of our language models: text and JSON schemas, whole replies.
 * The reverse of `hosted`. Creation is cheap, so each run can have its own.
 */
export function axService({
  lm,
  sampling,
  seed = 0,
  callOptions = {},
  onReply,
}: AxServiceOptions): AxAIService {
  const { provider, model } = lm.identity;

  const chat: AxAIService["chat"] = async (chatRequest, options) => {
    const request = requestOf(chatRequest, sampling, seed);
    const either = linkedAbort([callOptions.signal, options?.abortSignal]);
    try {
      const reply = await lm.doGenerate(request, { ...callOptions, signal: either.signal });
      onReply?.(request, reply);
      return responseOf(reply, provider);
    } finally {
      either.release();
    }
  };

  return {
    getId: () => `${provider}/${model}`,
    getName: () => provider,
    getFeatures: () => features,
    getModelList: () => undefined,
    getMetrics: () => metrics,
    getLogger: () => () => undefined,
    getLastUsedChatModel: () => model,
    getLastUsedEmbedModel: () => undefined,
    getLastUsedModelConfig: () => undefined,
    chat,
    embed: () => unsupported("embeddings"),
    transcribe: () => unsupported("transcription"),
    speak: () => unsupported("speech"),
    getEstimatedCost: () => 0,
    setOptions: () => undefined,
    getOptions: () => noOptions,
  };
}

const noOptions = Object.freeze({});

const features: AxAIFeatures = {
  functions: false,
  streaming: false,
  structuredOutputs: true,
  structuredOutputModes: ["native"],
  media: {
    images: { supported: false, formats: [] },
    audio: { supported: false, formats: [] },
    files: { supported: false, formats: [], uploadMethod: "none" },
    urls: { supported: false, webSearch: false, contextFetching: false },
  },
  caching: { supported: false, types: [] },
  thinking: false,
  multiTurn: true,
};

const noLatency = { mean: 0, p95: 0, p99: 0, samples: [] };
const noErrors = { count: 0, rate: 0, total: 0 };
const metrics: AxAIServiceMetrics = {
  latency: { chat: noLatency, embed: noLatency },
  errors: { chat: noErrors, embed: noErrors },
};

function requestOf(request: AxChatRequest<unknown>, sampling: Sampling, seed: number): LmRequest {
  const { chatPrompt, functions = [], responseFormat, modelConfig = {} } = request;
  if (functions.length > 0 || (modelConfig.n ?? 1) > 1) unsupportedNow("tools or several samples");
  return {
    messages: chatPrompt.map(messageOf),
    sampling: {
      ...sampling,
      temperature: modelConfig.temperature ?? sampling.temperature,
      topP: modelConfig.topP ?? sampling.topP,
      topK: modelConfig.topK ?? sampling.topK,
      presencePenalty: modelConfig.presencePenalty ?? sampling.presencePenalty,
      frequencyPenalty: modelConfig.frequencyPenalty ?? sampling.frequencyPenalty,
      maxCompletionTokens: modelConfig.maxTokens ?? sampling.maxCompletionTokens,
      stop: modelConfig.stopSequences ?? sampling.stop,
    },
    seed,
    ...(responseFormat === undefined ? {} : { responseSchema: schemaOf(responseFormat) }),
  };
}

function messageOf(message: AxChatRequest["chatPrompt"][number]): LmMessage {
  if (message.role === "function") return unsupportedNow("tool results");
  const { role, content = "" } = message;
  if (typeof content === "string") return { role, content };
  const text = content.map((part) =>
    part.type === "text" ? part.text : unsupportedNow(part.type),
  );
  return { role, content: text.join("\n") };
}

function schemaOf(
  format: NonNullable<AxChatRequest["responseFormat"]>,
): NonNullable<LmRequest["responseSchema"]> {
  if (format.type !== "json_schema") return unsupportedNow("JSON without a schema");
  // ax builds the schema itself but leaves it untyped.
  const { name, schema } = format.schema as { readonly name: string; readonly schema: JsonSchema };
  return { name, schema };
}

function responseOf(reply: LmReply, provider: string): Awaited<ReturnType<AxAIService["chat"]>> {
  const { content, reasoning, usage, finishReason } = reply;
  const { promptTokens, completionTokens } = usage;
  return {
    results: [
      {
        index: 0,
        ...(content === null ? {} : { content }),
        ...(reasoning === null ? {} : { thought: reasoning }),
        finishReason: finishReasons[finishReason],
      },
    ],
    modelUsage: {
      ai: provider,
      model: reply.model,
      ...(promptTokens !== null &&
        completionTokens !== null && {
          tokens: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
        }),
    },
  };
}

const finishReasons = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "function_call",
  other: "error",
} as const;

async function unsupported(what: string): Promise<never> {
  return unsupportedNow(what);
}

function unsupportedNow(what: string): never {
  throw new LmError({
    code: "lm-unsupported",
    problem: `An espalier language model does not offer ax ${what}`,
    expected: "text, or JSON with a schema",
  });
}
