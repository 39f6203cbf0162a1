import { ApiError } from "../../api-error/api-error.ts";
import type { ProtocolAdapter, ServeContext } from "../../protocol/protocol-adapter.ts";
import { mockLabel } from "../../../mock/index.ts";
import type { CompletionHead, WholeReply } from "./reply/completion.ts";
import { completion, metadataOf, sentCalls } from "./reply/completion.ts";
import type { AskedQuestion, OpenaiChat } from "./request/openai-chat.ts";
import type { ResponseHead } from "./reply/response.ts";
import { response } from "./reply/response.ts";
import { responsesRequest } from "./request/responses-request.ts";
import { streamedCompletion } from "./reply/streamed-completion.ts";
import { streamedResponse } from "./reply/streamed-response.ts";
import type { Context } from "hono";
import type { JsonObject } from "../../../contract/index.ts";
import { imageUrlProblem } from "../../../internal/index.ts";
import { takesImages } from "../../../signature/index.ts";
import type { ChatOutcome } from "../../model/chat-exchange.ts";
import type { ServedModel } from "../../model/served-model.ts";
import { structuredOutput } from "../../model/schema-fit.ts";
import { eventStreamHeaders } from "../../protocol/event-stream.ts";
import { unreadPart, chatMessages } from "./request/chat-messages.ts";
import { clientToolsOf, jsonSchema, sentTools, toolFields } from "./request/client-tools.ts";
import { z } from "zod";
import { askerFields, askerOf, conversationOf, invalidBody } from "./request/openai-chat.ts";

/**
 * `GET /v1/models`, `GET /v1/models/{id}`, `POST /v1/chat/completions` and `POST /v1/responses`, as
 * in OpenAI's API.
 */
export function openaiRoutes(): ProtocolAdapter {
  return {
    mount: (app, context) => {
      // A program without an artifact counts as created when its server started.
      const startedAt = context.now();
      const { name: mock } = mockLabel(context.mocks);
      const mocks = context.mocks.map(({ part, provider, model }) => ({
        part,
        provider,
        model,
      }));
      const listed = async () => {
        const models = await context.models.list();
        return models.map(({ name, version, madeAt, introduction = {} }) => ({
          id: name,
          object: "model",
          created: secondsOf(madeAt === null ? startedAt : new Date(madeAt)),
          owned_by: context.name,
          version,
          ...(introduction.description !== undefined && { description: introduction.description }),
          ...(introduction.exampleQuestions !== undefined && {
            example_questions: introduction.exampleQuestions,
          }),
          ...(mocks.length > 0 && { mocks }),
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

      app.post(
        "/v1/chat/completions",
        questionRoute(context, {
          prefix: "chatcmpl",
          format: "response_format",
          read: chatRequest,
          streamed: ({ id, created, ...asked }) =>
            streamedCompletion(context, { head: headOf(id, created, asked.chat), ...asked }),
          whole: ({ id, created, chat }, outcome, reply) =>
            completion(headOf(id, created, chat), outcome, reply),
        }),
      );
      app.post(
        "/v1/responses",
        questionRoute(context, {
          prefix: "resp",
          format: "text.format",
          read: responsesRequest,
          streamed: (asked) => streamedResponse(context, { head: responseHead(asked), ...asked }),
          whole: (asked, outcome, reply) => response(responseHead(asked), outcome, reply),
        }),
      );

      function headOf(id: string, created: number, { model }: OpenaiChat): CompletionHead {
        return { id, created, model, ...(mock !== "" && { system_fingerprint: mock }) };
      }
    },
  };
}

function responseHead({ id, created, chat, question }: AskedQuestion): ResponseHead {
  const { clientTools } = question;
  return { id, created, model: chat.model, format: chat.format, clientTools };
}

/** What differs between the routes that answer questions. */
interface QuestionDialect {
  /** Of ids. */
  readonly prefix: string;
  /** The parameter that names the format of the answer. */
  readonly format: string;
  readonly read: (body: unknown) => OpenaiChat;
  readonly streamed: (asked: AskedQuestion) => ReadableStream<Uint8Array>;
  readonly whole: (asked: AskedQuestion, outcome: ChatOutcome, reply: WholeReply) => JsonObject;
}

/** Answers a question, whole or as a stream. What it throws is an `ApiError`. */
function questionRoute(
  context: ServeContext,
  { prefix, format, read, streamed, whole }: QuestionDialect,
): (c: Context) => Promise<Response> {
  return async (c) => {
    const request = c.req.raw;
    const sent = read(await context.readJson(request));
    const model = await context.models.resolve(sent.model);
    const brought = clientToolsOf(sent, model);
    const ignoredMessages = sent.ignoredMessages - (brought?.messagesRead ?? 0);
    const chat: OpenaiChat = { ...sent, ignoredMessages };
    checkImages(chat, model);
    const written = chat.format && structuredOutput(model, chat.format, format);
    const id = context.newId(prefix);
    const created = secondsOf(context.now());
    c.header("x-request-id", id);
    const apiKey = context.keyNameOf(request);
    const { history, seed, user, conversation } = chat;
    const question = {
      model,
      question: chat.question,
      history,
      images: chat.images.map(({ url }) => url),
      id,
      ...(brought && { clientTools: brought.clientTools }),
      ...(seed !== undefined && { seed }),
      ...(user !== undefined && { user }),
      ...(conversation !== undefined && { conversation }),
      ...(apiKey !== undefined && { apiKey }),
    };
    const asked: AskedQuestion = { id, created, chat, question, request, written };
    if (chat.isStreamed) return c.body(streamed(asked), 200, eventStreamHeaders);
    const start = context.ask({ ...question, signal: request.signal });
    if (start.state === "refused") throw start.error;
    const ended = await start.outcome;
    if (ended.state === "refused") throw ended.error;
    if (ended.state === "left") return c.body(null, 400);
    const { outcome } = ended;
    const metadata = metadataOf(outcome, { id, ignoredMessages });
    const reply =
      ended.state === "calls"
        ? { text: "", calls: sentCalls(ended.calls, id) }
        : { text: written?.(outcome.output) ?? outcome.answer };
    return c.json(whole(asked, outcome, { ...reply, metadata }));
  };
}

/** @throws ApiError 400 for an image to a program without a field for one, and for what is none */
function checkImages({ images }: OpenaiChat, { program }: ServedModel): void {
  for (const { url, param, type } of images) {
    if (!takesImages(program.input)) throw unreadPart(param, type, "only text");
    const problem = imageUrlProblem(url);
    if (problem === null) continue;
    const within = `${param}.image_url`;
    const message = `\`${within}\`: ${problem}.`;
    throw new ApiError(400, "invalid_parameter", message, { param: within });
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}

/** Each accepts only its neutral value: clients would miss the effect of any other. */
const unused = {
  n: z.literal(1).nullish(),
  functions: listOf(() => false).nullish(),
  logprobs: z.literal(false).nullish(),
  modalities: listOf((each) => each === "text").nullish(),
};
const body = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  seed: z.int().min(0).max(4_294_967_295).nullish(),
  ...askerFields,
  ...toolFields,
  response_format: z
    .discriminatedUnion("type", [
      z.object({ type: z.enum(["text", "json_object"]) }),
      z.object({ type: z.literal("json_schema"), json_schema: z.object({ schema: jsonSchema }) }),
    ])
    .nullish(),
  ...unused,
});

/**
 * Reads the body of `POST /v1/chat/completions`. The last message of the user is the question, and
 * earlier messages of the user and the assistant are the history. Sampling parameters are ignored:
 * they belong to the program, which may sample each of its steps differently.
 *
 * @throws ApiError 400, naming the parameter
 */
export function chatRequest(given: unknown): OpenaiChat {
  const parsed = body.safeParse(given);
  if (!parsed.success) throw invalidBody(parsed.error, unused, reasons);
  const { model, stream, stream_options: options, seed, response_format: shape } = parsed.data;
  const messages = chatMessages((given as { readonly messages?: unknown }).messages);
  const { ignoredMessages, ...conversation } = conversationOf(messages, "messages");
  const format =
    shape?.type === "json_schema"
      ? { schema: shape.json_schema.schema }
      : shape?.type === "json_object" && {};
  return {
    model,
    ...conversation,
    sent: sentTools(parsed.data),
    isStreamed: stream ?? false,
    includesUsage: options?.include_usage ?? false,
    ...(typeof seed === "number" && { seed }),
    ...(format && { format }),
    ...askerOf(parsed.data),
    ignoredMessages,
  };
}

/** Stops at the first invalid element, where zod's array would collect one issue for each. */
function listOf(isAllowed: (element: unknown) => boolean): z.ZodType<readonly unknown[]> {
  return z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.every(isAllowed));
}

/** Why, where it is not plain. */
const reasons: Readonly<Record<string, string>> = {
  functions: ": use `tools`, their newer form",
  n: " above 1: ask again for another answer",
};
