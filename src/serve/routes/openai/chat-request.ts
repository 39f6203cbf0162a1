import { z } from "zod";
import type { Turn } from "../../../contract/index.ts";
import { ApiError } from "../../api-error/api-error.ts";
import { invalidParameter } from "../../api-error/invalid-parameter.ts";
import { chatMessages } from "./chat-messages.ts";

/** A request of OpenAI's API, reduced to what a program can use. */
export interface OpenaiChat {
  readonly model: string;
  readonly question: string;
  readonly history: readonly Turn[];
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
  readonly seed?: number;
  /** The user that the client names: `safety_identifier`, or `user`, its older name. */
  readonly user?: string;
  /** The client's own id of the conversation: `metadata.conversation_id`. */
  readonly conversation?: string;
  /**
   * Messages that no program reads: those of `system` and `developer`, since a program has
   * instructions of its own, those of tools, and those after the last message of the user.
   */
  readonly ignoredMessages: number;
}

/** Each accepts only its neutral value: clients would miss the effect of any other. */
const unused = {
  n: z.literal(1).nullish(),
  tools: listOf(() => false).nullish(),
  functions: listOf(() => false).nullish(),
  logprobs: z.literal(false).nullish(),
  response_format: z.object({ type: z.literal("text") }).nullish(),
  modalities: listOf((each) => each === "text").nullish(),
};
const body = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  seed: z.int().min(0).max(4_294_967_295).nullish(),
  user: z.string().max(256).nullish(),
  safety_identifier: z.string().max(256).nullish(),
  metadata: z.object({ conversation_id: z.string().max(512).nullish() }).nullish(),
  ...unused,
});

/**
 * Reads the body of `POST /v1/chat/completions`. The last message of the user is the question, and
 * earlier messages of the user and the assistant are the history. Sampling parameters are ignored:
 * they belong to the program, which may sample each of its steps differently.
 *
 * @throws ApiError 400, naming the parameter
 */
export function chatRequest(
  given: unknown,
  { maxMessages }: { readonly maxMessages: number },
): OpenaiChat {
  const parsed = body.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error);
  const { model, stream, stream_options: options, seed } = parsed.data;
  const messages = chatMessages((given as { readonly messages?: unknown }).messages, maxMessages);
  const user = parsed.data.safety_identifier ?? parsed.data.user;
  const conversation = parsed.data.metadata?.conversation_id;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[last]?.text ?? "";
  if (last === -1) throw badMessages("The messages include none of the user.");
  if (question.trim() === "") throw badMessages("The last user message is empty.");
  const history = messages.slice(0, last).flatMap(({ role, text }): readonly Turn[] => {
    if (text === "" || (role !== "user" && role !== "assistant")) return [];
    return [{ speaker: role, text }];
  });
  return {
    model,
    question,
    history,
    isStreamed: stream ?? false,
    includesUsage: options?.include_usage ?? false,
    ...(typeof seed === "number" && { seed }),
    ...(user && { user }),
    ...(conversation && { conversation }),
    ignoredMessages: messages.length - history.length - 1,
  };
}

/** Stops at the first invalid element, where zod's array would collect one issue for each. */
function listOf(isAllowed: (element: unknown) => boolean): z.ZodType<readonly unknown[]> {
  return z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.every(isAllowed));
}

function invalid(error: z.ZodError): ApiError {
  const top = error.issues[0]?.path[0];
  if (typeof top === "string" && Object.hasOwn(unused, top)) {
    const message = `\`${top}\` is not supported by this server's models.`;
    return new ApiError(400, "unsupported_parameter", message, { param: top });
  }
  return invalidParameter(error);
}

function badMessages(text: string): ApiError {
  return new ApiError(400, "invalid_parameter", text, { param: "messages" });
}
