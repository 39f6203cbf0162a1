import type {
  LanguageModel,
  LmCallOptions,
  LmDelta,
  LmReply,
  LmRequest,
} from "../../contract/index.ts";
import { mediaIn } from "../../contract/index.ts";
import { LmError, refusedMedia } from "../../errors/index.ts";
import type { Clock, GrowingText } from "../../internal/index.ts";
import { contentHash, growingText, systemClock } from "../../internal/index.ts";
import type { WireToolCall, WireUsage } from "./chat-envelope.ts";
import { chatChunk, chatEnvelope } from "./chat-envelope.ts";
import type { ReplyParts } from "./chat-reply.ts";
import { chatReply, joinedCalls, wholeCalls } from "./chat-reply.ts";
import type { Dialect } from "./chat-request.ts";
import { chatRequest, withoutSchema, withoutSystem } from "./chat-request.ts";
import { textsOf } from "./wire-texts.ts";
import { property } from "../client/reply-values.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { ReplyOrigin } from "../client/reply-origin.ts";
import type { ServerOptions } from "../client/server-connection.ts";
import { serverConnection } from "../client/server-connection.ts";
import type { ThinkingTemplate } from "./thinking-template.ts";
import { thinkingTemplates } from "./thinking-template.ts";

export interface OpenAiCompatibleOptions extends ServerOptions {
  readonly model: string;
  /** @default "vllm" */
  readonly dialect?: Dialect;
  /** @default `enableThinking` for vLLM, `reasoningEffort` for OpenAI */
  readonly thinkingTemplate?: ThinkingTemplate;
  /**
   * Whether the server writes escapes inside of strings whose length a schema bounds, so that
   * lengths can be sent. vLLM's default backend, xgrammar, does not: such a string could hold no
   * quote, line break or backslash. `espalier doctor` tries it. @default false
   */
  readonly boundedStrings?: boolean;
  /**
   * Whether the server holds replies to a JSON schema. If not, or once it has refused one, requests
   * show the shape of the reply instead. `espalier doctor` tries it. @default true
   */
  readonly schemas?: boolean;
  /**
   * Name of the provider that serves the model; part of the cache key. Two servers whose models
   * share a name but answer differently (other weights, quantisation) need two names. @default the
   * dialect
   */
  readonly provider?: string;
  /** Measures latencies. */
  readonly clock?: Clock;
}

/**
 * A chat model on any server with OpenAI's `/chat/completions`, vLLM first. Each call is one
 * request, and one more where the server refuses a schema, or a system message, whose text the user
 * message then carries. Caching, retries and limits are separate wrappers.
 *
 * @example
 * const lm = openAiCompatible({ baseUrl: "http://127.0.0.1:8000/v1", model: "Qwen/Qwen3-8B" });
 */
export function openAiCompatible({
  model,
  dialect = "vllm",
  thinkingTemplate = defaultThinking[dialect],
  boundedStrings = false,
  schemas = true,
  provider = dialect,
  clock = systemClock,
  ...server
}: OpenAiCompatibleOptions): LanguageModel {
  const connection = serverConnection(server);
  let refusesLogprobs = false;
  /** What the server has refused and requests went without ever since. */
  const refused = new Set<Omittable>(schemas ? [] : ["schema"]);

  async function doGenerate(request: LmRequest, options: LmCallOptions = {}): Promise<LmReply> {
    const { signal, onDelta, onRetry } = options;
    const { topLogprobs, ...others } = request;
    const startMs = clock.now();
    const asked = async (without: ReadonlySet<Omittable>): Promise<ReplyParts> => {
      const sent = refusesLogprobs ? others : request;
      const isStreamed = onDelta !== undefined;
      const settings = { model, dialect, thinkingTemplate, boundedStrings, isStreamed };
      const left = omittableNames
        .filter((name) => without.has(name))
        .reduce<LmRequest>((one, name) => omittable[name].from(one), sent);
      const body = chatRequest(left, settings);
      try {
        const parts = await (onDelta === undefined
          ? wholeReply(await connection.chat(body, { signal }), connection.origin)
          : chatStream(connection.chatStream(body, { signal }), onDelta, connection.origin));
        // Only now is it known to be what the server refused.
        for (const name of without) refused.add(name);
        return parts;
      } catch (error) {
        const name = omittableNames.find(
          (one) =>
            !without.has(one) &&
            omittable[one].isIn(request) &&
            isRefused(error, omittable[one].about),
        );
        if (name === undefined) throw error;
        await onRetry?.(error as LmError);
        return asked(new Set([...without, name]));
      }
    };
    const parts = await asked(new Set(refused)).catch((error: unknown) => {
      refusesLogprobs ||= topLogprobs !== undefined && isRefused(error, aboutLogprobs);
      throw refusedMedia(error, model, mediaIn(request.messages));
    });
    return chatReply(parts, {
      model,
      origin: connection.origin,
      hasLogprobs: topLogprobs !== undefined,
      latencyMs: clock.now() - startMs,
    });
  }

  const isUsual = thinkingTemplate === defaultThinking[dialect];
  return {
    identity: {
      // Both change replies but do not appear in the request.
      provider: [
        provider,
        ...(isUsual ? [] : [templateHash(thinkingTemplate)]),
        ...(schemas ? [] : ["no-schemas"]),
      ].join("+"),
      model,
    },
    doGenerate,
  };
}

const defaultThinking = {
  vllm: thinkingTemplates.enableThinking,
  openai: thinkingTemplates.reasoningEffort,
} as const satisfies Record<Dialect, ThinkingTemplate>;

/** What a server refused once it is not sent again. */
function isRefused(error: unknown, about: RegExp): error is LmError {
  return (
    LmError.isInstance(error) &&
    error.code === "lm-request-refused" &&
    about.test(`${error.body ?? ""} ${error.message}`)
  );
}

const aboutLogprobs = /log.?prob/i;

/** What a request goes without where the server, or the model's template, knows no such thing. */
const omittable = {
  /** What is wrong with one schema is told to its author. */
  schema: {
    about:
      /^(?=.*(?:response_format|json_schema))(?=.*(?:un(?:known|recognized|expected|available|supported)|not (?:supported?|permitted)|n't support|extra ))(?!.*(?:invalid.{0,20}schema|schema (?:field|keyword)|grammar|tool|function))/is,
    isIn: ({ responseSchema }: LmRequest) => responseSchema !== undefined,
    from: withoutSchema,
  },
  /** In the words of the chat templates of Gemma, Mistral and Llama 2. */
  system: {
    about: /system role|only user(,| and) assistant|roles must alternate/i,
    isIn: ({ messages }: LmRequest) => messages.some(({ role }) => role === "system"),
    from: (request: LmRequest) => ({ ...request, messages: withoutSystem(request.messages) }),
  },
} as const;
type Omittable = keyof typeof omittable;
/** In the order in which they are left out: the shape of a reply stands in the system message. */
const omittableNames = Object.keys(omittable) as readonly Omittable[];

function wholeReply(body: unknown, origin: ReplyOrigin): ReplyParts {
  const { model, choices, usage } = readEnvelope(chatEnvelope, body, origin);
  const [choice] = choices;
  const { message, finish_reason: finishReason, logprobs } = choice;
  return {
    model: model ?? null,
    ...textsOf(message),
    refusal: message.refusal ?? null,
    toolCalls: wholeCalls(message.tool_calls ?? []),
    finishReason,
    usage: usage ?? choice.usage,
    logprobs: property(logprobs, "content"),
  };
}

function templateHash(template: ThinkingTemplate): string {
  return contentHash([template(true), template(false)]).slice(0, 8);
}

/**
 * Passes each chunk on as it arrives and assembles the whole reply.
 *
 * @param chunks lists of chunks that arrived together
 */
async function chatStream(
  chunks: AsyncIterable<readonly unknown[]>,
  onDelta: (delta: LmDelta) => void,
  origin: ReplyOrigin,
): Promise<ReplyParts> {
  let model: string | null = null;
  let content: GrowingText | null = null;
  let reasoning: GrowingText | null = null;
  let refusal: string | null = null;
  let finishReason: string | null = null;
  let usage: WireUsage | null = null;
  const toolCalls: WireToolCall[] = [];
  const logprobs: unknown[] = [];

  for await (const together of chunks) {
    for (const chunk of together) {
      const piece = readEnvelope(chatChunk, chunk, origin);
      model = piece.model ?? model;
      const choice = piece.choices[0];
      usage = piece.usage ?? choice?.usage ?? usage;
      if (choice === undefined) continue;
      finishReason = choice.finish_reason ?? finishReason;
      const tokens = property(choice.logprobs, "content");
      if (Array.isArray(tokens)) logprobs.push(...(tokens as unknown[]));
      toolCalls.push(...(choice.delta.tool_calls ?? []));
      const { content: text, reasoning: thought } = textsOf(choice.delta);
      if (text !== null) (content ??= growingText()).add(text);
      if (thought !== null) (reasoning ??= growingText()).add(thought);
      if (choice.delta.refusal) refusal = (refusal ?? "") + choice.delta.refusal;
      if (text || thought) {
        onDelta({ ...(text ? { content: text } : {}), ...(thought ? { reasoning: thought } : {}) });
      }
    }
  }

  if (finishReason === null) {
    throw new LmError({
      code: "lm-bad-envelope",
      problem: "The streamed reply ended too early",
      expected: "a finish reason",
      where: origin.where,
    });
  }
  return {
    model,
    content: content?.text() ?? null,
    reasoning: reasoning?.text() ?? null,
    refusal,
    toolCalls: joinedCalls(toolCalls),
    finishReason,
    usage,
    logprobs: logprobs.length > 0 ? logprobs : null,
  };
}
