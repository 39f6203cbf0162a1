import { z } from "zod";
import type { Turn } from "../../../../contract/index.ts";
import { ApiError, invalidParameter } from "../../../api-error/api-error.ts";
import type { OutputFormat } from "../../../model/schema-fit.ts";
import type { ChatMessage, SentImage } from "./chat-messages.ts";
import type { SentTools } from "./client-tools.ts";
import type { Question } from "../../../answer/answer-question.ts";

/** A question of one of OpenAI's routes, as its replies need it. */
export interface AskedQuestion {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly chat: OpenaiChat;
  readonly question: Omit<Question, "signal">;
  readonly request: Request;
  /** Writes the program's output where the client wants JSON. */
  readonly written: ((output: unknown) => string) | undefined;
}

/** A request of OpenAI's API, reduced to what a program can use. */
export interface OpenaiChat {
  readonly model: string;
  readonly question: string;
  readonly history: readonly Turn[];
  /** Of the user's last message that has any; earlier ones were asked about before. */
  readonly images: readonly SentImage[];
  readonly sent: SentTools;
  /** The messages after the question, which may hold calls of the client's tools. */
  readonly after: readonly ChatMessage[];
  readonly isStreamed: boolean;
  readonly includesUsage: boolean;
  readonly seed?: number;
  /** Asks for the program's whole output as JSON. */
  readonly format?: OutputFormat;
  /** The user that the client names: `safety_identifier`, or `user`, its older name. */
  readonly user?: string;
  /** The client's own id of the conversation: `metadata.conversation_id`. */
  readonly conversation?: string;
  /**
   * Messages that no program reads: those of `system` and `developer`, since a program has
   * instructions of its own, those of tools, and those after the last message of the user, calls
   * and results of the client's tools excepted where the program takes these.
   */
  readonly ignoredMessages: number;
}

/** The last message of the user is the question, and what was said before it the history. */
export function conversationOf(
  messages: readonly ChatMessage[],
  param: string,
): Pick<OpenaiChat, "question" | "history" | "images" | "after" | "ignoredMessages"> {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[last]?.text ?? "";
  if (last === -1) throw badMessages("There is no user message.", param);
  const shown = messages.findLast(({ role, images }) => role === "user" && images.length > 0);
  const images = shown?.images ?? [];
  if (question.trim() === "" && messages[last]?.images.length === 0) {
    throw badMessages("The last user message is empty.", param);
  }
  if (isInterfaceTask(question)) throw interfaceTask(param);
  const history = messages.slice(0, last).flatMap(({ role, text }): readonly Turn[] => {
    if (text === "" || (role !== "user" && role !== "assistant")) return [];
    return [{ speaker: role, text }];
  });
  const ignoredMessages = messages.length - history.length - 1;
  return { question, history, images, after: messages.slice(last + 1), ignoredMessages };
}

/**
 * Chat interfaces ask the same model for titles, tags and follow-up questions, as Open WebUI does
 * with prompts of this form. A program would research them as if they were a question.
 */
function isInterfaceTask(question: string): boolean {
  return /^\s*#+ Task:/.test(question) && question.includes("<chat_history>");
}

function interfaceTask(param: string): ApiError {
  return new ApiError(
    400,
    "interface_task",
    "This request is a chat interface's own task (a title, tags, follow-up questions), but the models of this server are whole programs. Set the interface's task model to the plain model of your LM server.",
    { param },
  );
}

function badMessages(text: string, param: string): ApiError {
  return new ApiError(400, "invalid_parameter", text, { param });
}

type OptionalText = z.ZodOptional<z.ZodNullable<z.ZodString>>;
type AskerFields = {
  readonly user: OptionalText;
  readonly safety_identifier: OptionalText;
  readonly metadata: z.ZodOptional<
    z.ZodNullable<z.ZodObject<{ readonly conversation_id: OptionalText }>>
  >;
};

/** Who asks, in the body of a request. */
export const askerFields: AskerFields = {
  user: z.string().max(256).nullish(),
  safety_identifier: z.string().max(256).nullish(),
  metadata: z.object({ conversation_id: z.string().max(512).nullish() }).nullish(),
};

export function askerOf(
  given: z.infer<z.ZodObject<AskerFields>>,
): Pick<OpenaiChat, "user" | "conversation"> {
  const user = given.safety_identifier ?? given.user;
  const conversation = given.metadata?.conversation_id;
  return { ...(user && { user }), ...(conversation && { conversation }) };
}

/**
 * The first problem of a body, which may be a parameter that only its neutral value is taken of.
 *
 * @param reasons why, where it is not plain
 */
export function invalidBody(
  error: z.ZodError,
  unused: object,
  reasons: Readonly<Record<string, string>>,
): ApiError {
  const top = error.issues[0]?.path[0];
  if (typeof top !== "string" || !Object.hasOwn(unused, top)) return invalidParameter(error);
  const message = `\`${top}\` is not supported by this server${reasons[top] ?? ""}.`;
  return new ApiError(400, "unsupported_parameter", message, { param: top });
}
