import { LmError } from "../../errors/index.ts";
import type { LmDelta } from "../../contract/index.ts";
import type { GrowingText } from "../../internal/index.ts";
import { growingText } from "../../internal/index.ts";
import type { WireToolCall, WireUsage } from "./chat-envelope.ts";
import { chatChunk } from "./chat-envelope.ts";
import { textsOf } from "./wire-texts.ts";
import type { ReplyParts } from "./chat-reply.ts";
import { joinedCalls } from "./tool-call-pieces.ts";
import { property } from "../client/property.ts";
import { readEnvelope } from "../client/read-envelope.ts";
import type { ReplyOrigin } from "../client/reply-origin.ts";

/**
 * Passes each chunk on as it arrives and assembles the whole reply.
 *
 * @param chunks lists of chunks that arrived together
 */
export async function chatStream(
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
