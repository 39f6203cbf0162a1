import type { LanguageModel, LmCallOptions, LmReply, LmRequest } from "../../../src/index.ts";
import { filesIn, imagesIn, mediaIn } from "../../../src/contract/index.ts";
import { EspalierError, refusedMedia, refuseUnsupported } from "../../../src/errors/index.ts";
import type { Clock } from "../../../src/internal/index.ts";
import { systemClock, wellFormed } from "../../../src/internal/index.ts";
import { aiSdkFault } from "./ai-sdk-fault.ts";
import { aiSdkPrompt } from "./ai-sdk-message.ts";
import type { AiSdkCall, AiSdkModel, AiSdkResult } from "./ai-sdk-model.ts";
import { replyOf } from "./read-result.ts";
import { readStream } from "./read-stream.ts";

export interface FromAiSdkOptions {
  /**
   * Sends the JSON schema for constrained decoding. `false` for a model without it: the prompt
   * alone must then suffice. @default true
   */
  readonly constrain?: boolean;
  /** Passed to the provider with each call, by the provider's name. Part of no cache key. */
  readonly providerOptions?: Readonly<Record<string, object>>;
  /** Called with what the provider says it left out of a request, such as a seed. */
  readonly onWarning?: (warning: object) => void;
  readonly clock?: Clock;
}

/**
 * A model of any AI SDK provider, by its interface of version 2, 3 or 4. The wrappers of
 * `espalier/lm` (cache, retries, limit, ledger) go around it as around any other. Tools pass; calls
 * that the provider makes itself are not reported. Rejects requests
 * for what the interface cannot pass on: log-probabilities, min-p, repetition penalty, further body
 * keys, and thinking before version 4. Providers leave out settings that their models lack, such as
 * a seed, and say so by `onWarning`.
 *
 * @throws EspalierError `option-invalid` for what is no such model
 * @example
 * const lm = fromAiSdk(openai("gpt-5"));
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions = {}): LanguageModel {
  checkModel(model);
  const { clock = systemClock, onWarning } = options;
  const { provider, modelId } = model;

  async function doGenerate(request: LmRequest, call: LmCallOptions = {}): Promise<LmReply> {
    const { signal, onDelta } = call;
    signal?.throwIfAborted();
    const asked = callOf(wellFormed(request), model, options, signal);
    const startMs = clock.now();
    try {
      const result = await resultOf(asked, onDelta);
      for (const warning of result.warnings ?? []) onWarning?.(warning);
      return replyOf(result, modelId, clock.now() - startMs);
    } catch (error) {
      signal?.throwIfAborted();
      throw refusedMedia(aiSdkFault(error, provider), modelId, mediaIn(request.messages));
    }
  }

  async function resultOf(
    asked: AiSdkCall,
    onDelta: LmCallOptions["onDelta"],
  ): Promise<AiSdkResult> {
    // Each version has types of its own for the same plain object.
    if (onDelta === undefined) return model.doGenerate(asked as never);
    const { stream } = await model.doStream(asked as never);
    return readStream(stream, onDelta);
  }

  return { identity: { provider, model: modelId }, doGenerate };
}

function callOf(
  request: LmRequest,
  { specificationVersion }: AiSdkModel,
  { constrain = true, providerOptions }: FromAiSdkOptions,
  signal: AbortSignal | undefined,
): AiSdkCall {
  const {
    messages,
    sampling,
    seed,
    responseSchema,
    thinking,
    tools,
    toolChoice = "auto",
  } = request;
  const canThink = specificationVersion === "v4";
  checkSupported(request, canThink);
  return {
    prompt: aiSdkPrompt(messages, specificationVersion),
    temperature: sampling.temperature,
    topP: sampling.topP,
    ...(sampling.topK !== 0 && { topK: sampling.topK }),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    maxOutputTokens: sampling.maxCompletionTokens,
    ...(sampling.stop.length > 0 && { stopSequences: sampling.stop }),
    seed,
    ...(constrain &&
      responseSchema !== undefined && {
        responseFormat: {
          type: "json",
          name: responseSchema.name,
          schema: responseSchema.schema,
        },
      }),
    ...(tools && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function",
        name,
        description,
        inputSchema: parameters,
      })),
      toolChoice: { type: toolChoice },
    }),
    ...(canThink && thinking !== undefined && { reasoning: thinking ? "medium" : "none" }),
    ...(signal && { abortSignal: signal }),
    ...(providerOptions && { providerOptions }),
  };
}

function checkSupported(request: LmRequest, canThink: boolean): void {
  const { messages, sampling, topLogprobs, extraBody, thinking } = request;
  const ofOthers = messages.filter(({ role }) => role !== "user");
  refuseUnsupported(
    {
      "images outside user messages": imagesIn(ofOthers).length > 0,
      "files outside user messages": filesIn(ofOthers).length > 0,
      topLogprobs: topLogprobs !== undefined,
      extraBody: extraBody !== undefined,
      minP: sampling.minP !== 0,
      repetitionPenalty: sampling.repetitionPenalty !== 1,
      thinking: thinking === true && !canThink,
    },
    {
      what: "An AI SDK model",
      fix: "Omit it, pass it as the provider's own option with `providerOptions`, or use `connect` if the server speaks the OpenAI protocol.",
    },
  );
}

const versions: ReadonlySet<string> = new Set(["v2", "v3", "v4"]);

function checkModel(model: AiSdkModel): void {
  const given = model as Partial<AiSdkModel> | null | undefined;
  const version = given?.specificationVersion;
  if (version !== undefined && versions.has(version)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "`fromAiSdk` needs a language model from an AI SDK provider",
    expected: 'an object such as `openai("gpt-5")`, with `specificationVersion` v2, v3 or v4',
    got: version === undefined ? typeof model : `specificationVersion ${JSON.stringify(version)}`,
  });
}
