import { z } from "zod";
import { ApiError } from "../../../api-error/api-error.ts";
import { chatMessages } from "./chat-messages.ts";
import { jsonSchema, sentTools, toolFields } from "./client-tools.ts";
import type { OpenaiChat } from "./openai-chat.ts";
import { askerFields, askerOf, conversationOf, invalidBody } from "./openai-chat.ts";

/** Each accepts only its neutral value: clients would miss the effect of any other. */
const unused = {
  previous_response_id: z.null().optional(),
  conversation: z.null().optional(),
  prompt: z.null().optional(),
  background: z.literal(false).nullish(),
};
const body = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  ...askerFields,
  ...toolFields,
  text: z
    .object({
      format: z
        .discriminatedUnion("type", [
          z.object({ type: z.enum(["text", "json_object"]) }),
          z.object({
            type: z.literal("json_schema"),
            schema: jsonSchema,
            name: z.string().max(256).optional(),
          }),
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
export function responsesRequest(given: unknown): OpenaiChat {
  const parsed = body.safeParse(given);
  if (!parsed.success) throw invalidBody(parsed.error, unused, reasons);
  const { model, stream, text } = parsed.data;
  const { input, instructions } = given as {
    readonly input?: unknown;
    readonly instructions?: unknown;
  };
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const messages = chatMessages(Array.isArray(items) ? items.map(messageOf) : items, "input");
  const { ignoredMessages, ...conversation } = conversationOf(messages, "input");
  const shape = text?.format;
  const format =
    shape?.type === "json_schema"
      ? { schema: shape.schema, name: shape.name ?? "output" }
      : shape?.type === "json_object" && {};
  return {
    model,
    ...conversation,
    sent: sentTools({ ...parsed.data, tools: parsed.data.tools?.map(toolOf) }),
    isStreamed: stream ?? false,
    includesUsage: true,
    ...(format && { format }),
    ...askerOf(parsed.data),
    ignoredMessages: ignoredMessages + (typeof instructions === "string" ? 1 : 0),
  };
}

/** A tool in the form of chat completions. */
function toolOf(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const { type, ...parts } = given as { readonly type?: unknown };
  return { type, function: parts };
}

/**
 * An input item in the form of a chat message. What is neither a message nor a call of a tool nor
 * its result, such as reasoning, counts as a message of a tool, which no program reads.
 */
function messageOf(item: unknown, index: number): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { type = "message", ...fields } = item as Readonly<Record<string, unknown>>;
  const content = Array.isArray(fields["content"])
    ? fields["content"].map(partOf)
    : fields["content"];
  if (type === "message") return { ...fields, content };
  if (type === "function_call") {
    const { call_id: id, name, arguments: given } = fields;
    const call = { id, type: "function", function: { name, arguments: given } };
    return { role: "assistant", content: "", tool_calls: [call] };
  }
  if (type === "function_call_output") {
    const { call_id: id, output } = fields;
    const said = Array.isArray(output) ? output.map(partOf) : output;
    return { role: "tool", content: said, tool_call_id: id };
  }
  if (type === "item_reference" && !String(fields["id"]).startsWith("rs_")) {
    const param = `input[${index}]`;
    const message = `\`${param}\`: this server does not store responses. Send the items themselves; clients do so with \`store: false\`.`;
    throw new ApiError(400, "unsupported_parameter", message, { param });
  }
  return { role: "tool", content: "" };
}

function partOf(part: unknown): unknown {
  const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "input_text" || type === "output_text" ? { type: "text", text } : part;
}

const keepsNone = ", which does not store responses: send the whole conversation as `input`";
const reasons: Readonly<Record<string, string>> = {
  previous_response_id: keepsNone,
  conversation: keepsNone,
};
