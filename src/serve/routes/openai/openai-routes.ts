import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";
import { chatRequest } from "./chat-request.ts";
import { completion, metadataOf } from "./completion.ts";
import { streamedCompletion } from "./streamed-completion.ts";

/** `GET /v1/models` and `POST /v1/chat/completions`, as OpenAI's API has them. */
export function openaiRoutes(): ProtocolAdapter {
  return {
    mount: (app, context) => {
      const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);
      // A program that has no artifact is as old as its server.
      const startedAt = context.now();
      app.get("/v1/models", async (c) => {
        const models = await context.models.list();
        const data = models.map(({ name, version, madeAt }) => ({
          id: name,
          object: "model",
          created: secondsOf(madeAt === null ? startedAt : new Date(madeAt)),
          owned_by: context.name,
          version,
        }));
        return c.json({ object: "list", data });
      });

      app.post("/v1/chat/completions", async (c) => {
        const request = c.req.raw;
        const chat = chatRequest(await context.readJson(request), context);
        const model = await context.models.resolve(chat.model);
        const id = context.newId("chatcmpl");
        const head = {
          id,
          created: secondsOf(context.now()),
          model: chat.model,
          ...(context.standIn !== "" && { system_fingerprint: context.standIn }),
        };
        c.header("x-request-id", id);
        const apiKey = context.keyNameOf(request);
        if (chat.isStreamed) return streamedCompletion(c, { chat, model, head, context, apiKey });
        const { question, history, seed, user, conversation } = chat;
        const asked = await context.ask({
          model,
          question,
          history,
          id,
          ...(seed !== undefined && { seed }),
          ...(user !== undefined && { user }),
          ...(conversation !== undefined && { conversation }),
          ...(apiKey !== undefined && { apiKey }),
          signal: request.signal,
        });
        if (asked.state === "answered") {
          const metadata = metadataOf(asked.outcome, { id, ignoredMessages: chat.ignoredMessages });
          return c.json(completion(head, asked.outcome, metadata));
        }
        if (asked.state === "refused") throw asked.error;
        return c.body(null, 400);
      });
    },
  };
}
