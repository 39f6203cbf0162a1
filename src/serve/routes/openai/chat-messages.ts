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
 * @throws ApiError 400, naming the message
 */
export function chatMessages(given: unknown, most: number): readonly ChatMessage[] {
  if (!Array.isArray(given)) throw invalid("messages", "expected a list of messages");
  if (given.length === 0) throw invalid("messages", "expected at least one message");
  if (given.length > most) {
    throw invalid("messages", `expected at most ${most} messages, got ${given.length}`);
  }
  return given.map((each: unknown, index) => {
    const within = `messages[${index}]`;
    checkParts(each, `${within}.content`);
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

function textOf(said: z.infer<typeof content> | undefined): string {
  if (typeof said === "string") return said;
  return (said ?? []).map(({ text }) => text).join("\n");
}

function invalid(param: string, problem: string): ApiError {
  return new ApiError(400, "invalid_parameter", `\`${param}\`: ${problem}.`, { param });
}
