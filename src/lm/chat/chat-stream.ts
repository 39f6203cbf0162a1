import { LmError } from "../../errors/index.ts";
import type { LmDelta } from "../../contract/index.ts";
import type { WireToolCall, WireUsage } from "./chat-envelope.ts";
import { chatChunk } from "./chat-envelope.ts";
import type { ReplyParts } from "./chat-reply.ts";
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
  let model = "";
  let content: string | null = null;
  let reasoning: string | null = null;
  let finishReason: string | null = null;
  let usage: WireUsage | null = null;
  const toolCalls: WireToolCall[] = [];
  const tokens = [];
  let hasLogprobs = false;

  for await (const together of chunks) {
    for (const chunk of together) {
      const piece = readEnvelope(chatChunk, chunk, origin);
      ({ model } = piece);
      usage = piece.usage ?? usage;
      const choice = piece.choices[0];
      if (choice === undefined) continue;
      finishReason = choice.finish_reason ?? finishReason;
      if (choice.logprobs?.content) {
        hasLogprobs = true;
        tokens.push(...choice.logprobs.content);
      }
      toolCalls.push(...(choice.delta.tool_calls ?? []));
      const { content: text, reasoning: thought = choice.delta.reasoning_content } = choice.delta;
      if (typeof text === "string") content = (content ?? "") + text;
      if (typeof thought === "string") reasoning = (reasoning ?? "") + thought;
      if (text || thought) {
        onDelta({ ...(text ? { content: text } : {}), ...(thought ? { reasoning: thought } : {}) });
      }
    }
  }

  if (finishReason === null || usage === null) {
    throw new LmError({
      code: "lm-bad-envelope",
      problem: "The streamed reply ended too early",
      expected: "a finish reason, then the usage",
      got: finishReason === null ? "no finish reason" : "no usage",
      where: origin.where,
    });
  }
  const logprobs = hasLogprobs ? { content: tokens } : null;
  return { model, content, reasoning, toolCalls, finishReason, usage, logprobs };
}
