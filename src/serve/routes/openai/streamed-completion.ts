import type { Context } from "hono";
import { linkedAbort } from "../../../internal/index.ts";
import { eventStream, eventStreamHeaders } from "../../protocol/event-stream.ts";
import type { ServeContext } from "../../protocol/serve-context.ts";
import type { ServedModel } from "../../model/served-model.ts";
import type { OpenaiChat } from "./chat-request.ts";
import type { CompletionHead } from "./completion.ts";
import { metadataOf, usageOf } from "./completion.ts";
import { contentStream } from "./content-stream.ts";

/**
 * A reply piece by piece: steps as `reasoning_content`, the answer as `content`, then citations and
 * metadata, the finish reason, the usage if it was asked for, and `[DONE]`. What goes wrong after the
 * first byte is an event with an `error`, and `[DONE]` after it.
 */
export function streamedCompletion(
  c: Context,
  {
    chat,
    model,
    head,
    context,
    apiKey,
  }: {
    readonly chat: OpenaiChat;
    readonly model: ServedModel;
    readonly head: CompletionHead;
    readonly context: ServeContext;
    readonly apiKey: string | undefined;
  },
): Response {
  const gone = linkedAbort([c.req.raw.signal]);
  const stream = eventStream({
    keepAliveMs: context.keepAliveMs,
    onCancel: () => gone.abort(),
  });
  const send = (value: unknown): void => stream.send(JSON.stringify(value));
  let hasBegun = false;
  const chunk = (delta: object, finishReason: "stop" | null = null): void => {
    begin();
    send({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...(chat.includesUsage && { usage: null }),
    });
  };
  /** A run may be heard before `ask` returns; clients expect the role first. */
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    chunk({ role: "assistant", content: "" });
  };
  const content = contentStream(chunk);

  const { question, history, seed, user, conversation, ignoredMessages } = chat;
  // Before the first byte: a full queue is still answered with a status.
  const asking = context.ask({
    model,
    question,
    history,
    id: head.id,
    ...(seed !== undefined && { seed }),
    ...(user !== undefined && { user }),
    ...(conversation !== undefined && { conversation }),
    ...(apiKey !== undefined && { apiKey }),
    signal: gone.signal,
    onEvent: (event) => {
      if (event.kind === "step") chunk({ reasoning_content: event.text });
      else content.hear(event);
    },
  });
  const finish = async (): Promise<void> => {
    const asked = await asking;
    gone.release();
    if (asked.state === "answered") {
      const { citations, usage } = asked.outcome;
      content.end();
      if (citations.length > 0) chunk({ citations });
      chunk({ metadata: metadataOf(asked.outcome, { id: head.id, ignoredMessages }) });
      chunk({}, "stop");
      if (chat.includesUsage) {
        send({ ...head, object: "chat.completion.chunk", choices: [], usage: usageOf(usage) });
      }
    } else if (asked.state === "refused") send(asked.error.body);
    stream.send("[DONE]");
    stream.close();
  };
  begin();
  void finish();
  return c.body(stream.open(), 200, eventStreamHeaders);
}
