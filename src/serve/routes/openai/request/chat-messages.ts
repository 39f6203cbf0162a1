import { z } from "zod";
import type { ImageUrl } from "../../../../contract/index.ts";
import { ApiError, invalidParameter } from "../../../api-error/api-error.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"] as const;

/** A message with the texts of its parts joined, and its images. */
export interface ChatMessage {
  readonly role: (typeof roles)[number];
  readonly text: string;
  readonly images: readonly SentImage[];
  /** The parameter that holds it, for errors. */
  readonly param: string;
  /** Calls of the assistant, and the call that a tool answers; unchecked. */
  readonly calls: unknown;
  readonly callId: unknown;
}

/** An image, unchecked, and the parameter that holds it, for errors. */
export interface SentImage {
  readonly url: ImageUrl;
  readonly param: string;
  /** What the protocol calls such a part. */
  readonly type: string;
}

const maxMessages = 1_000;
const maxParts = 100;
const textPart = z.object({ type: z.literal("text"), text: z.string() });
const imagePart = z.object({
  type: z.enum(["image_url", "input_image"]),
  image_url: z.union([z.string(), z.object({ url: z.string() })]),
});
const content = z.union([
  z.string(),
  z.array(z.discriminatedUnion("type", [textPart, imagePart])),
  z.null(),
]);
const message = z.object({
  role: z.enum(roles),
  content: content.optional(),
  tool_calls: z.unknown().optional(),
  tool_call_id: z.unknown().optional(),
});

/**
 * Reads the messages of a request. Checks lengths before content, and stops at the first problem:
 * zod would go on to collect every problem of a megabyte.
 *
 * @param param the parameter that holds them, for errors
 * @throws ApiError 400, naming the message
 */
export function chatMessages(given: unknown, param = "messages"): readonly ChatMessage[] {
  if (!Array.isArray(given)) throw invalid(param, "expected a list of messages");
  if (given.length === 0) throw invalid(param, "expected at least one message");
  if (given.length > maxMessages) {
    throw invalid(param, `expected at most ${maxMessages} messages, got ${given.length}`);
  }
  return given.map((each: unknown, index) => {
    const within = `${param}[${index}]`;
    checkParts(each, `${within}.content`);
    refuseMedia(each, within);
    const parsed = message.safeParse(each);
    if (!parsed.success) throw invalidParameter(parsed.error, within);
    const { role, content: said, tool_calls: calls, tool_call_id: callId } = parsed.data;
    const images = imagesOf(said, `${within}.content`);
    return { role, text: textOf(said), images, param: within, calls, callId };
  });
}

function checkParts(given: unknown, param: string): void {
  const parts: unknown = (given as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(parts) || parts.length <= maxParts) return;
  throw invalid(param, `expected at most ${maxParts} parts, got ${parts.length}`);
}

/** Sounds and files: dropping one would answer another question. */
function refuseMedia(given: unknown, within: string): void {
  const parts: unknown = (given as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(parts)) return;
  const types = parts.map((part: { readonly type?: unknown } | null) => part?.type);
  const index = types.findIndex((type) => typeof type === "string" && media.has(type));
  if (index === -1) return;
  const param = `${within}.content[${index}]`;
  throw unreadPart(param, types[index] as string, "only text and images");
}

const media = new Set(["input_audio", "file", "input_file"]);

export function unreadPart(param: string, type: string, read: string): ApiError {
  const message = `\`${param}\`: this model reads ${read}, and this is \`${type}\`.`;
  return new ApiError(400, "unsupported_parameter", message, { param });
}

type Said = z.infer<typeof content> | undefined;

function textOf(said: Said): string {
  if (typeof said === "string") return said;
  return (said ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function imagesOf(said: Said, within: string): readonly SentImage[] {
  if (typeof said === "string") return [];
  return (said ?? []).flatMap((part, index): readonly SentImage[] => {
    if (part.type === "text") return [];
    const { type, image_url: given } = part;
    const url = typeof given === "string" ? given : given.url;
    return [{ url, param: `${within}[${index}]`, type }];
  });
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError(400, "invalid_parameter", `\`${param}\`: ${problem}.`, { param });
}
