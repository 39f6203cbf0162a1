import type { ChatOutcome } from "../../../model/chat-exchange.ts";
import { answerStream } from "../../../protocol/answer-stream.ts";
import type { ServeContext } from "../../../protocol/protocol-adapter.ts";
import type { CompletionHead } from "./completion.ts";
import { metadataOf, sentCalls, toolCallOf, usageOf } from "./completion.ts";
import { contentStream } from "./content-stream.ts";
import type { AskedQuestion } from "../request/openai-chat.ts";

/**
 * A streamed reply: steps as `reasoning_content`, the answer as `content` (JSON in one
 * piece), or the calls that the
 * client has to make as `tool_calls`, then citations and metadata, the finish reason, the usage if
 * the client asked for it, and `[DONE]`. An error after the first byte is an event with an `error`,
 * followed by `[DONE]`.
 *
 * @throws ApiError for a question that is refused at once
 */
export function streamedCompletion(
  context: ServeContext,
  {
    head,
    chat: { includesUsage, ignoredMessages },
    question,
    request,
    written,
  }: Omit<AskedQuestion, "id" | "created"> & { readonly head: CompletionHead },
): ReadableStream<Uint8Array> {
  return answerStream(context, { ...question, request }, (sendText, say) => {
    const send = (value: unknown): void => sendText(() => JSON.stringify(value));
    let hasStarted = false;
    const chunkOf = (delta: object, finishReason: "stop" | "tool_calls" | null = null) => ({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...(includesUsage && { usage: null }),
    });
    const chunk = (...given: Parameters<typeof chunkOf>): void => {
      begin();
      send(chunkOf(...given));
    };
    const contentChunk = (content: string): string => JSON.stringify(chunkOf({ content }));
    const sayContent = (content: string): void => {
      begin();
      say(content, contentChunk);
    };
    /** Clients expect the role before anything else. */
    const begin = (): void => {
      if (hasStarted) return;
      hasStarted = true;
      chunk({ role: "assistant", content: "" });
    };
    const finish = (outcome: ChatOutcome, reason: "stop" | "tool_calls"): void => {
      chunk({ metadata: metadataOf(outcome, { id: head.id, ignoredMessages }) });
      chunk({}, reason);
      if (!includesUsage) return;
      const usage = usageOf(outcome.usage);
      send({ ...head, object: "chat.completion.chunk", choices: [], usage });
    };
    const content = contentStream((delta) =>
      delta.restarted === true ? chunk(delta) : sayContent(delta.content),
    );
    return {
      begin,
      event: (event) => {
        if (event.kind === "step") chunk({ reasoning_content: stepLine(event.text) });
        else if (written === undefined) content.handle(event);
      },
      end: (ended) => {
        if (ended.state === "answered") {
          const { citations, output } = ended.outcome;
          if (written === undefined) content.end();
          else sayContent(written(output));
          if (citations.length > 0) chunk({ citations });
          finish(ended.outcome, "stop");
        } else if (ended.state === "calls") {
          for (const [index, call] of sentCalls(ended.calls, head.id).entries()) {
            chunk({ tool_calls: [{ index, ...toolCallOf(call) }] });
          }
          finish(ended.outcome, "tool_calls");
        } else if (ended.state === "refused") send(ended.error.body);
        sendText("[DONE]");
      },
    };
  });
}

/** Interfaces show all steps as one text. */
function stepLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
