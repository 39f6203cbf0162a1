import type { LmReply } from "../../../../src/contract/index.ts";
import { textOfMessage } from "../../../../src/contract/index.ts";
import { sha256 } from "../../../../src/internal/index.ts";
import { tokenize } from "../model/index.ts";
import type { Answer } from "./answer.ts";
import { json } from "./answer.ts";
import type { BodyReader } from "./body-reader.ts";
import type { ChatRequest } from "./chat-request.ts";
import { readChatRequest } from "./chat-request.ts";
import type { Engine } from "./engine.ts";
import { checkModel } from "./engine.ts";

/** Applies the fault mode to content: only texts requested as JSON pass through it. */
export type SpoilContent = (text: string) => string;

/** `POST /v1/chat/completions`. */
export async function chatCompletions(
  body: BodyReader,
  engine: Engine,
  spoil: SpoilContent,
): Promise<Answer> {
  checkModel(body, engine);
  const chat = readChatRequest(body, engine.maxModelLength);
  const replies: LmReply[] = [];
  for (let index = 0; index < chat.count; index++) {
    const seed = (chat.request.seed + index) >>> 0;
    const reply = await engine.lm.doGenerate({ ...chat.request, seed });
    const isSpoilt = chat.isJson && reply.content !== null;
    replies.push(isSpoilt ? { ...reply, content: spoil(reply.content ?? "") } : reply);
  }
  const prompt = chat.request.messages
    .map((message) => `${message.role}\n${textOfMessage(message)}\n`)
    .join("");
  const visit = engine.prefixCache?.visit(prompt);
  const envelope: Envelope = {
    id: `chatcmpl-${sha256(JSON.stringify(body.raw)).slice(0, 32)}`,
    model: engine.model,
    usage: usageOf(replies, visit?.cached ?? null),
  };
  const answer: Answer = chat.isStreamed
    ? { kind: "stream", events: eventsOf(replies, chat, envelope) }
    : json({
        ...head(envelope, "chat.completion"),
        choices: replies.map(choiceOf),
        usage: envelope.usage,
      });
  return visit === undefined ? answer : { ...answer, afterLatency: visit.keep };
}

interface Envelope {
  readonly id: string;
  readonly model: string;
  readonly usage: object;
}

// A creation time would make equal requests differ and carries no information here.
function head({ id, model }: Envelope, object: string): object {
  return { id, object, created: 0, model };
}

function usageOf(replies: readonly LmReply[], cachedTokens: number | null): object {
  const prompt = replies[0]?.usage.promptTokens ?? 0;
  const completion = replies.reduce((sum, { usage }) => sum + (usage.completionTokens ?? 0), 0);
  const reasoning = replies.flatMap(({ usage }) => usage.reasoningTokens ?? []);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: cachedTokens === null ? null : { cached_tokens: cachedTokens },
    ...(reasoning.length === 0
      ? {}
      : {
          completion_tokens_details: {
            reasoning_tokens: reasoning.reduce((sum, count) => sum + count, 0),
          },
        }),
  };
}

function choiceOf(reply: LmReply, index: number): object {
  return {
    index,
    message: {
      role: "assistant",
      content: reply.content,
      ...(reply.reasoning === null ? {} : { reasoning: reply.reasoning }),
      ...(reply.toolCalls && { tool_calls: wireCalls(reply) }),
    },
    logprobs: logprobsOf(reply.logprobs),
    finish_reason: wireReason(reply),
  };
}

function wireCalls({ toolCalls = [] }: LmReply): readonly object[] {
  return toolCalls.map(({ id, name, arguments: given }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: given },
  }));
}

function wireReason({ finishReason }: LmReply): string {
  return finishReason === "tool-calls" ? "tool_calls" : finishReason;
}

function logprobsOf(logprobs: LmReply["logprobs"]): object | null {
  if (logprobs === undefined) return null;
  return {
    content: logprobs.map(({ token, logprob, top }) => ({
      token,
      logprob,
      bytes: [...Buffer.from(token)],
      top_logprobs: top.map((held) => ({ ...held, bytes: [...Buffer.from(held.token)] })),
    })),
  };
}

/**
 * One event per token; the first carries the role, the last the finish reason; usage is separate.
 */
function eventsOf(
  replies: readonly LmReply[],
  { hasUsageEvent }: ChatRequest,
  envelope: Envelope,
): readonly object[] {
  const chunk = (choices: readonly object[], usage: object | null = null): object => ({
    ...head(envelope, "chat.completion.chunk"),
    choices,
    ...(hasUsageEvent ? { usage } : {}),
  });
  const events = replies.flatMap((reply, index) => {
    const part = (delta: object, logprobs: object | null, reason: string | null): object =>
      chunk([{ index, delta, logprobs, finish_reason: reason }]);
    const reasoning = tokenize(reply.reasoning ?? "");
    const content = tokenize(reply.content ?? "");
    return [
      part({ role: "assistant", content: "" }, null, null),
      ...reasoning.map((token) => part({ reasoning: token }, null, null)),
      ...content.map((token, index) => {
        const own = reply.logprobs?.[index];
        return part({ content: token }, logprobsOf(own === undefined ? undefined : [own]), null);
      }),
      ...(reply.toolCalls ? [part({ tool_calls: wireCalls(reply) }, null, null)] : []),
      part({}, null, wireReason(reply)),
    ];
  });
  return hasUsageEvent ? [...events, chunk([], envelope.usage)] : events;
}
