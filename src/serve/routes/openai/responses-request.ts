import { z } from "zod";
import { ApiError } from "../../api-error/api-error.ts";
import { invalidParameter } from "../../api-error/invalid-parameter.ts";
import { chatMessages } from "./chat-messages.ts";
import { jsonSchema, noTools } from "./chat-request.ts";
import type { OpenaiChat } from "./openai-chat.ts";
import { askerFields, askerOf, conversationOf } from "./openai-chat.ts";

/** Each accepts only its neutral value: clients would miss the effect of any other. */
const unused = {
  tools: noTools,
  previous_response_id: z.null().optional(),
  conversation: z.null().optional(),
  prompt: z.null().optional(),
  background: z.literal(false).nullish(),
};
const body = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  ...askerFields,
  text: z
    .object({
      format: z
        .discriminatedUnion("type", [
          z.object({ type: z.enum(["text", "json_object"]) }),
          z.object({ type: z.literal("json_schema"), schema: jsonSchema }),
        ])
        .nullish(),
    })
    .nullish(),
  ...unused,
});

/**
 * Reads the body of `POST /v1/responses`: its input, a text or a list of items, is a conversation
 * as in `chatRequest`. The server keeps no responses, so each request holds the whole conversation.
 *
 * @throws ApiError 400, naming the parameter
 */
export function responsesRequest(
  given: unknown,
  { maxMessages }: { readonly maxMessages: number },
): OpenaiChat {
  const parsed = body.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error);
  const { model, stream, text } = parsed.data;
  const { input, instructions } = given as {
    readonly input?: unknown;
    readonly instructions?: unknown;
  };
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const messages = chatMessages(Array.isArray(items) ? items.map(messageOf) : items, {
    most: maxMessages,
    param: "input",
  });
  const { ignoredMessages, ...conversation } = conversationOf(messages, "input");
  const shape = text?.format;
  const format =
    shape?.type === "json_schema" ? { schema: shape.schema } : shape?.type === "json_object" && {};
  return {
    model,
    ...conversation,
    isStreamed: stream ?? false,
    includesUsage: true,
    ...(format && { format }),
    ...askerOf(parsed.data),
    ignoredMessages: ignoredMessages + (typeof instructions === "string" ? 1 : 0),
  };
}

/**
 * An input item in the form of a chat message. What is no message (a call of a tool and its result,
 * reasoning) counts as one of a tool: no program reads it.
 */
function messageOf(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { type = "message", content } = item as {
    readonly type?: unknown;
    readonly content?: unknown;
  };
  if (type !== "message") return { role: "tool", content: "" };
  if (!Array.isArray(content)) return item;
  return { ...item, content: content.map(partOf) };
}

function partOf(part: unknown): unknown {
  const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "input_text" || type === "output_text" ? { type: "text", text } : part;
}

function invalid(error: z.ZodError): ApiError {
  const top = error.issues[0]?.path[0];
  if (typeof top !== "string" || !Object.hasOwn(unused, top)) return invalidParameter(error);
  const message = `\`${top}\` is not supported by this server${reasons[top] ?? "."}`;
  return new ApiError(400, "unsupported_parameter", message, { param: top });
}

const keepsNone = ", which keeps no responses: send the whole conversation as `input`.";
const reasons: Readonly<Record<string, string>> = {
  tools: "'s models: each is a program with steps of its own, none of which calls client's tools.",
  previous_response_id: keepsNone,
  conversation: keepsNone,
};
