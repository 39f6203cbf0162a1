import type { JsonObject, LmReply } from "../../contract/index.ts";
import { FormatError, LmError } from "../../errors/index.ts";
import {
  escapeControlCharacters,
  exactJson,
  excerpt,
  grammarOption,
} from "../../internal/index.ts";
import type { FieldParser, FieldSchemas } from "../../signature/index.ts";

/**
 * Reads the output fields from a reply. Accepts a bare JSON object, and one in a code fence or
 * after a thinking block, since servers without constrained decoding may return those; and line
 * breaks and other control characters inside of strings, which vLLM's xgrammar lets through.
 *
 * @throws FormatError `output-truncated`, `output-empty`, `output-unparseable`, `output-invalid`
 * @throws LmError `lm-context-overflow`
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
 * @throws LmError `lm-context-overflow` if the context was full before the token limit: vLLM 0.32
 *   lowers the limit to what the prompt leaves, without a word
 */
function checkComplete(reply: LmReply, maxCompletionTokens: number): string {
  const { content, finishReason } = reply;
  if (finishReason === "length") throw cutOff(reply, maxCompletionTokens);
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

function cutOff({ content, usage }: LmReply, maxCompletionTokens: number): Error {
  const { completionTokens, reasoningTokens, promptTokens } = usage;
  // Hosted providers differ in whether the completion tokens include thoughts.
  const written = (completionTokens ?? 0) + (reasoningTokens ?? 0);
  const problem = `The reply was cut off${completionTokens === null ? "" : ` after ${completionTokens} tokens`}`;
  if (completionTokens && written < maxCompletionTokens) {
    return new LmError({
      code: "lm-context-overflow",
      problem: `${problem}, before its limit of ${maxCompletionTokens}: the context of the model is full`,
      expected: `a context that holds ${promptTokens ?? "the"} prompt tokens and ${maxCompletionTokens} more`,
      fix: "Shorten the prompt, lower `maxCompletionTokens`, or start the server with a larger --max-model-len",
    });
  }
  return new FormatError({
    code: "output-truncated",
    problem,
    expected: `a complete reply within ${maxCompletionTokens} tokens`,
    fix: endlessSpace.test(content ?? "")
      ? `The server's grammar lets a reply end in endless white space. Start vLLM with ${grammarOption}`
      : "Raise `maxCompletionTokens`, or ask for a shorter reply in the instruction",
    rawText: content,
  });
}

const endlessSpace = /\s{16}$/;

/** The error for content that parses but breaks the rules of the fields. */
function invalidOutput(problems: readonly string[], rawText: string | null): FormatError {
  return new FormatError({
    code: "output-invalid",
    problem: `The reply breaks the rules of its fields: ${problems.join("; ")}`,
    got: beginningOf(rawText ?? ""),
    rawText,
  });
}

function parseObject(content: string): JsonObject | undefined {
  try {
    const value: unknown = exactJson(escapeControlCharacters(jsonText(content)));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON of a reply as it was written, without a code fence or a thinking block around it. */
export function jsonText(content: string): string {
  const text = content.trim();
  return text.startsWith("{") ? text : unwrap(text);
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
