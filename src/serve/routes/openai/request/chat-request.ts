import { z } from "zod";
import { chatMessages } from "./chat-messages.ts";
import { jsonSchema, sentTools, toolFields } from "./client-tools.ts";
import type { OpenaiChat } from "./openai-chat.ts";
import { askerFields, askerOf, conversationOf, invalidBody } from "./openai-chat.ts";

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
  functions: ": `tools` is their newer form",
  n: " above 1: ask again for another answer",
};
