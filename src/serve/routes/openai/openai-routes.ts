import type { Context } from "hono";
import type { AnswerOutcome, Question } from "../../answer/answer-question.ts";
import { ApiError } from "../../api-error/api-error.ts";
import { structuredOutput } from "../../model/structured-output.ts";
import { eventStreamHeaders } from "../../protocol/event-stream.ts";
import type { ProtocolAdapter } from "../../protocol/protocol-adapter.ts";
import type { ServeContext } from "../../protocol/serve-context.ts";
import { standInLabel } from "../../../stand-in/index.ts";
import { chatRequest } from "./chat-request.ts";
import { completion, metadataOf } from "./completion.ts";
import type { OpenaiChat } from "./openai-chat.ts";
import { response } from "./response.ts";
import { responsesRequest } from "./responses-request.ts";
import { streamedCompletion } from "./streamed-completion.ts";
import { streamedResponse } from "./streamed-response.ts";

/**
 * `GET /v1/models`, `GET /v1/models/{id}`, `POST /v1/chat/completions` and `POST /v1/responses`, as
 * in OpenAI's API.
 */
export function openaiRoutes(): ProtocolAdapter {
  return {
    mount: (app, context) => {
      // A program without an artifact counts as created when its server started.
      const startedAt = context.now();
      const { name: standIn } = standInLabel(context.standIns);
      const standIns = context.standIns.map(({ part, provider, model }) => ({
        part,
        provider,
        model,
      }));
      const listed = async () => {
        const models = await context.models.list();
        return models.map(({ name, version, madeAt }) => ({
          id: name,
          object: "model",
          created: secondsOf(madeAt === null ? startedAt : new Date(madeAt)),
          owned_by: context.name,
          version,
          ...(standIns.length > 0 && { stand_ins: standIns }),
        }));
      };
      app.get("/v1/models", async (c) => c.json({ object: "list", data: await listed() }));
      // Ids contain slashes, which some clients escape.
      app.get("/v1/models/:id{.+}", async (c) => {
        const models = await listed();
        const found = models.find(({ id }) => id === c.req.param("id"));
        if (found !== undefined) return c.json(found);
        const ids = models.map(({ id }) => `\`${id}\``);
        const message = `There is no such model. This server has ${ids.join(", ")}.`;
        throw new ApiError(404, "model_not_found", message, { param: "model" });
      });

      app.post("/v1/chat/completions", async (c) => {
        const chat = chatRequest(await context.readJson(c.req.raw), context);
        const { id, question, written } = await questionOf(c, {
          chat,
          context,
          prefix: "chatcmpl",
          format: "response_format",
        });
        const { ignoredMessages } = chat;
        const head = {
          id,
          created: secondsOf(context.now()),
          model: chat.model,
          ...(standIn !== "" && { system_fingerprint: standIn }),
        };
        if (chat.isStreamed) {
          const request = c.req.raw;
          const body = streamedCompletion(context, { chat, head, question, request, written });
          return c.body(body, 200, eventStreamHeaders);
        }
        const ended = await answered(context, { ...question, signal: c.req.raw.signal });
        if (ended.state === "left") return c.body(null, 400);
        const { outcome } = ended;
        const content = written?.(outcome.output) ?? outcome.answer;
        const metadata = metadataOf(outcome, { id, ignoredMessages });
        return c.json(completion(head, outcome, { content, metadata }));
      });

      app.post("/v1/responses", async (c) => {
        const chat = responsesRequest(await context.readJson(c.req.raw), context);
        const { id, question, written } = await questionOf(c, {
          chat,
          context,
          prefix: "resp",
          format: "text.format",
        });
        const { ignoredMessages } = chat;
        const hasJson = written !== undefined;
        const head = { id, created: secondsOf(context.now()), model: chat.model, hasJson };
        if (chat.isStreamed) {
          const request = c.req.raw;
          const body = streamedResponse(context, {
            head,
            ignoredMessages,
            question,
            request,
            written,
          });
          return c.body(body, 200, eventStreamHeaders);
        }
        const ended = await answered(context, { ...question, signal: c.req.raw.signal });
        if (ended.state === "left") return c.body(null, 400);
        const { outcome } = ended;
        const text = written?.(outcome.output) ?? outcome.answer;
        const metadata = metadataOf(outcome, { id, ignoredMessages });
        return c.json(response(head, outcome, { text, metadata }));
      });
    },
  };
}

interface Asked {
  readonly id: string;
  readonly question: Omit<Question, "signal">;
  /** Writes the program's output where the client wants JSON. */
  readonly written: ((output: unknown) => string) | undefined;
}

/** @throws ApiError for a model that is not served, or that cannot answer in the client's format */
async function questionOf(
  c: Context,
  {
    chat,
    context,
    prefix,
    format,
  }: {
    readonly chat: OpenaiChat;
    readonly context: ServeContext;
    readonly prefix: string;
    /** The parameter that names the format. */
    readonly format: string;
  },
): Promise<Asked> {
  const model = await context.models.resolve(chat.model);
  const written = chat.format && structuredOutput(model, chat.format, format);
  const id = context.newId(prefix);
  c.header("x-request-id", id);
  const apiKey = context.keyNameOf(c.req.raw);
  const { question, history, seed, user, conversation } = chat;
  return {
    id,
    written,
    question: {
      model,
      question,
      history,
      id,
      ...(seed !== undefined && { seed }),
      ...(user !== undefined && { user }),
      ...(conversation !== undefined && { conversation }),
      ...(apiKey !== undefined && { apiKey }),
    },
  };
}

/** @throws ApiError for a question that is refused */
async function answered(
  context: ServeContext,
  question: Question,
): Promise<Exclude<AnswerOutcome, { readonly state: "refused" }>> {
  const start = context.ask(question);
  if (start.state === "refused") throw start.error;
  const ended = await start.outcome;
  if (ended.state === "refused") throw ended.error;
  return ended;
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
