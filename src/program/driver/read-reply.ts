import type { JsonObject, LmReply } from "../../contract/index.ts";
import { FormatError } from "../../errors/index.ts";
import { excerpt } from "../../internal/index.ts";
import type { FieldParser, FieldSchemas } from "../../signature/index.ts";

/**
 * Reads the output fields from a reply. Accepts a bare JSON object, and one in a code fence or
 * after a thinking block, since servers without constrained decoding may return those.
 *
 * @throws FormatError `output-truncated`, `output-empty`, `output-unparseable`, `output-invalid`
 */
export function readReply(
  reply: LmReply,
  parse: FieldParser<FieldSchemas>,
  maxCompletionTokens: number,
): JsonObject {
  const content = checkComplete(reply, maxCompletionTokens);
  const value = parseObject(content);
  if (value === undefined) {
    throw new FormatError({
      code: "output-unparseable",
      problem: "The reply is not a JSON object",
      got: beginningOf(content),
      rawText: content,
    });
  }
  const parsed = parse(value);
  if (parsed.ok) return parsed.value as JsonObject;
  throw invalidOutput(parsed.problems, content);
}

/**
 * Returns the content of a complete, non-empty reply. A reply that was cut off at the token limit
 * is unusable even if it happens to parse.
 *
 * @throws FormatError `output-truncated`, `output-empty`
 */
export function checkComplete(reply: LmReply, maxCompletionTokens: number): string {
  const { content, finishReason } = reply;
  if (finishReason === "length") {
    throw new FormatError({
      code: "output-truncated",
      problem: `The reply was cut off after ${reply.usage.completionTokens} tokens`,
      expected: `a complete reply within ${maxCompletionTokens} tokens`,
      fix: "Raise `maxCompletionTokens`, or bound the output fields with `max`",
      rawText: content,
    });
  }
  if (content === null || content.trim() === "") {
    const thought = reply.reasoning === null ? "" : ", only reasoning";
    throw new FormatError({
      code: "output-empty",
      problem: `The reply has no content${thought} (finish reason "${finishReason}")`,
      fix: "If the model reasons, raise `maxCompletionTokens` or check the server's reasoning parser",
      rawText: content,
    });
  }
  return content;
}

/** The error for content that parses but breaks the rules of the fields. */
export function invalidOutput(problems: readonly string[], rawText: string | null): FormatError {
  return new FormatError({
    code: "output-invalid",
    problem: `The reply breaks the rules of its fields: ${problems.join("; ")}`,
    got: beginningOf(rawText ?? ""),
    rawText,
  });
}

function parseObject(content: string): JsonObject | undefined {
  const text = content.trim();
  const unwrapped = text.startsWith("{") ? text : unwrap(text);
  try {
    const value: unknown = JSON.parse(unwrapped);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

function unwrap(text: string): string {
  const thoughtEnd = text.startsWith("<think>") ? text.indexOf("</think>") : -1;
  const answer = thoughtEnd < 0 ? text : text.slice(thoughtEnd + "</think>".length).trim();
  const [opening] = /^```(?:json)?[^\S\n]*\n/.exec(answer) ?? [];
  return opening !== undefined && answer.endsWith("```")
    ? answer.slice(opening.length, -"```".length)
    : answer;
}

function beginningOf(text: string): string {
  return text.length <= 300 ? text : `${excerpt(text, 303)} (${text.length} characters)`;
}
