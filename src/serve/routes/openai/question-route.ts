import type { Context } from "hono";
import type { JsonObject } from "../../../contract/index.ts";
import { imageUrlProblem } from "../../../internal/index.ts";
import { takesImages } from "../../../signature/index.ts";
import { ApiError } from "../../api-error/api-error.ts";
import type { ChatOutcome } from "../../model/chat-exchange.ts";
import type { ServedModel } from "../../model/served-model.ts";
import { structuredOutput } from "../../model/structured-output.ts";
import { eventStreamHeaders } from "../../protocol/event-stream.ts";
import type { ServeContext } from "../../protocol/protocol-adapter.ts";
import type { WholeReply } from "./reply/completion.ts";
import { metadataOf, sentCalls } from "./reply/completion.ts";
import { unreadPart } from "./request/chat-messages.ts";
import { clientToolsOf } from "./request/client-tools.ts";
import type { AskedQuestion, OpenaiChat } from "./request/openai-chat.ts";

/** What differs between the routes that answer questions. */
export interface QuestionDialect {
  /** Of ids. */
  readonly prefix: string;
  /** The parameter that names the format of the answer. */
  readonly format: string;
  readonly read: (body: unknown, limits: { readonly maxMessages: number }) => OpenaiChat;
  readonly streamed: (asked: AskedQuestion) => ReadableStream<Uint8Array>;
  readonly whole: (asked: AskedQuestion, outcome: ChatOutcome, reply: WholeReply) => JsonObject;
}

/** Answers a question, whole or as a stream. What it throws is an `ApiError`. */
export function questionRoute(
  context: ServeContext,
  { prefix, format, read, streamed, whole }: QuestionDialect,
): (c: Context) => Promise<Response> {
  return async (c) => {
    const request = c.req.raw;
    const sent = read(await context.readJson(request), context);
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
    if (!takesImages(program.input)) throw unreadPart(param, type, "text alone");
    const problem = imageUrlProblem(url);
    if (problem === null) continue;
    const within = `${param}.image_url`;
    const message = `\`${within}\`: ${problem}.`;
    throw new ApiError(400, "invalid_parameter", message, { param: within });
  }
}

export function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
