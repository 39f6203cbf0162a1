import { z } from "zod";
import { ApiError } from "../../api-error/api-error.ts";
import { invalidParameter } from "../../api-error/invalid-parameter.ts";

const roles = ["system", "developer", "user", "assistant", "tool", "function"] as const;

/** A message with the texts of its parts joined. */
export interface ChatMessage {
  readonly role: (typeof roles)[number];
  readonly text: string;
}

const mostParts = 100;
const content = z.union([
  z.string(),
  z.array(z.object({ type: z.literal("text"), text: z.string() })),
  z.null(),
]);
const message = z.object({
  role: z.enum(roles),
  content: content.optional(),
});

/**
 * Reads the messages of a request. Checks lengths before content, and stops at the first problem:
 * zod would go on to collect every problem of a megabyte.
 *
 * @param options.param the parameter that holds them, for errors
 * @throws ApiError 400, naming the message
 */
export function chatMessages(
  given: unknown,
  { most, param = "messages" }: { readonly most: number; readonly param?: string },
): readonly ChatMessage[] {
  if (!Array.isArray(given)) throw invalid(param, "expected a list of messages");
  if (given.length === 0) throw invalid(param, "expected at least one message");
  if (given.length > most) {
    throw invalid(param, `expected at most ${most} messages, got ${given.length}`);
  }
  return given.map((each: unknown, index) => {
    const within = `${param}[${index}]`;
    checkParts(each, `${within}.content`);
    refuseMedia(each, within);
    const parsed = message.safeParse(each);
    if (!parsed.success) throw invalidParameter(parsed.error, within);
    return { role: parsed.data.role, text: textOf(parsed.data.content) };
  });
}

function checkParts(given: unknown, param: string): void {
  const parts: unknown = (given as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(parts) || parts.length <= mostParts) return;
  throw invalid(param, `expected at most ${mostParts} parts, got ${parts.length}`);
}

/** Images, sounds and files: dropping one would answer another question. */
function refuseMedia(given: unknown, within: string): void {
  const parts: unknown = (given as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(parts)) return;
  const types = parts.map((part: { readonly type?: unknown } | null) => part?.type);
  const index = types.findIndex((type) => typeof type === "string" && media.has(type));
  if (index === -1) return;
  const param = `${within}.content[${index}]`;
  const message = `\`${param}\`: this model reads text alone, and this is \`${types[index] as string}\`.`;
  throw new ApiError(400, "unsupported_parameter", message, { param });
}

const media = new Set(["image_url", "input_image", "input_audio", "file", "input_file"]);

function textOf(said: z.infer<typeof content> | undefined): string {
  if (typeof said === "string") return said;
  return (said ?? []).map(({ text }) => text).join("\n");
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError(400, "invalid_parameter", `\`${param}\`: ${problem}.`, { param });
}
