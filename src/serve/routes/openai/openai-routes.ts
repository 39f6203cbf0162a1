import { eventStreamHeaders } from "../../protocol/event-stream.ts";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";
import { standInLabel } from "../../../stand-in/index.ts";
import { chatRequest } from "./chat-request.ts";
import { completion, metadataOf } from "./completion.ts";
import { streamedCompletion } from "./streamed-completion.ts";

/** `GET /v1/models` and `POST /v1/chat/completions`, as in OpenAI's API. */
export function openaiRoutes(): ProtocolAdapter {
  return {
    mount: (app, context) => {
      const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);
      // A program without an artifact counts as created when its server started.
      const startedAt = context.now();
      const { name: standIn } = standInLabel(context.standIns);
      const standIns = context.standIns.map(({ part, provider, model }) => ({
        part,
        provider,
        model,
      }));
      app.get("/v1/models", async (c) => {
        const models = await context.models.list();
        const data = models.map(({ name, version, madeAt }) => ({
          id: name,
          object: "model",
          created: secondsOf(madeAt === null ? startedAt : new Date(madeAt)),
          owned_by: context.name,
          version,
          ...(standIns.length > 0 && { stand_ins: standIns }),
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
          ...(standIn !== "" && { system_fingerprint: standIn }),
        };
        c.header("x-request-id", id);
        const apiKey = context.keyNameOf(request);
        const { seed, user, conversation } = chat;
        const question = {
          model,
          question: chat.question,
          history: chat.history,
          id,
          ...(seed !== undefined && { seed }),
          ...(user !== undefined && { user }),
          ...(conversation !== undefined && { conversation }),
          ...(apiKey !== undefined && { apiKey }),
        };
        if (chat.isStreamed) {
          const body = streamedCompletion(context, { chat, head, question, request });
          return c.body(body, 200, eventStreamHeaders);
        }
        const start = context.ask({ ...question, signal: request.signal });
        if (start.state === "refused") throw start.error;
        const ended = await start.outcome;
        if (ended.state === "answered") {
          const metadata = metadataOf(ended.outcome, { id, ignoredMessages: chat.ignoredMessages });
          return c.json(completion(head, ended.outcome, metadata));
        }
        if (ended.state === "refused") throw ended.error;
        return c.body(null, 400);
      });
    },
  };
}
