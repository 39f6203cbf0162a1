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
 * Reads the output fields from a reply. Accepts a JSON object with words, tags or a code fence
 * around it, since models write those where no grammar holds them; and line breaks and other
 * control characters inside of strings, which vLLM's xgrammar lets through.
 *
 * @throws FormatError `output-truncated`, `output-empty`, `output-unparseable`, `output-invalid`
 * @throws LmError `lm-context-overflow` if the context was full before the token limit, other than
 *   by a loop: vLLM 0.32 lowers the limit to what the prompt leaves, without a word
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
 *   lowers the limit to what the prompt leaves, without a word. A loop is the model's fault alone
 */
function checkComplete(reply: LmReply, maxCompletionTokens: number): string {
  const { content, finishReason } = reply;
  if (finishReason === "length" || finishReason === "repetition") {
    throw cutOff(reply, reply.maxCompletionTokens ?? maxCompletionTokens);
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

function cutOff(reply: LmReply, maxCompletionTokens: number): Error {
  const { content, reasoning, usage, finishReason } = reply;
  const { completionTokens, reasoningTokens, promptTokens } = usage;
  // Hosted providers differ in whether the completion tokens include thoughts.
  const written = (completionTokens ?? 0) + (reasoningTokens ?? 0);
  const isSpace = endlessSpace.test(content ?? "");
  const piece = isSpace ? null : repeatedPiece(content || reasoning || "");
  const isLoop = piece !== null || finishReason === "repetition";
  const after = completionTokens === null ? "" : ` after ${completionTokens} tokens`;
  const loop = `, while the model repeated ${piece === null ? "itself" : quoted(piece)}`;
  const problem = `The reply was cut off${after}${isLoop ? loop : ""}`;
  if (!isLoop && completionTokens && written < maxCompletionTokens) {
    return new LmError({
      code: "lm-context-overflow",
      problem: `${problem}, before reaching its limit of ${maxCompletionTokens}: the model's context is full`,
      expected: `a context that holds ${promptTokens ?? "the"} prompt tokens and ${maxCompletionTokens} more`,
      fix: "Shorten the prompt, lower `maxCompletionTokens`, or start the server with a larger --max-model-len",
    });
  }
  return new FormatError({
    code: "output-truncated",
    problem,
    expected: `a complete reply within ${maxCompletionTokens} tokens`,
    fix: fixOf(isSpace, isLoop),
    rawText: content,
    isLoop,
  });
}

function fixOf(isSpace: boolean, isLoop: boolean): string {
  if (isSpace) {
    return `The server's grammar lets a reply end in endless white space. Start vLLM with ${grammarOption}`;
  }
  return isLoop
    ? "Set `repetitionPenalty`, such as 1.1, in the predictor's `sampling`, or lower `maxCompletionTokens`, so that a loop ends sooner"
    : "Raise `maxCompletionTokens`, or ask for a shorter reply in the instruction";
}

/**
 * The piece that a text ends with many times over; `null` if there is none. The end may be part of
 * a piece. Linear in the length of the end that is looked at.
 */
function repeatedPiece(text: string): string | null {
  const end = Array.from(text.slice(-endLength)).toReversed();
  // Knuth, Morris and Pratt: the longest proper start of `end` that is also an end of each start.
  const borders = [0];
  for (let length = 1, border = 0; length < end.length; length++) {
    while (border > 0 && end[length] !== end[border]) border = borders[border - 1] ?? 0;
    if (end[length] === end[border]) border++;
    borders.push(border);
  }
  const isLoop = (border: number, before: number): boolean => {
    const length = before + 1;
    return length >= minLoop && length >= minPieces * (length - border);
  };
  const last = borders.findLastIndex(isLoop);
  if (last < 0) return null;
  const piece = end.slice(0, last + 1 - (borders[last] ?? 0));
  return piece.toReversed().join("");
}

const endLength = 4_000;
/** Ordinary texts end in a few equal signs, or say a thing twice. */
const minLoop = 100;
const minPieces = 4;

function quoted(piece: string): string {
  return JSON.stringify(excerpt(piece, 60));
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

/**
 * The JSON object of a reply as it was written, without the thoughts, tags, code fence or lines
 * around it; the whole reply where an object stands in the middle of a sentence, or in a list.
 */
export function jsonText(content: string): string {
  const text = content.trim();
  const thoughtEnd = text.startsWith("{") ? -1 : text.lastIndexOf("</think>");
  if (thoughtEnd < 0 && text.startsWith("<think>")) return text;
  const answer = thoughtEnd < 0 ? text : text.slice(thoughtEnd + "</think>".length).trim();
  const [from, to] = [answer.indexOf("{"), answer.lastIndexOf("}") + 1];
  const before = answer.slice(0, Math.max(0, from)).trimEnd();
  const standsAlone =
    before === "" || /[`>:]$/.test(before) || answer.slice(before.length, from).includes("\n");
  const isLast = /^[^\S\n]*(?:$|[\n`<])/.test(answer.slice(to));
  return from >= 0 && to > from && standsAlone && isLast ? answer.slice(from, to) : answer;
}

function beginningOf(text: string): string {
  return text.length <= 300 ? text : `${excerpt(text, 303)} (${text.length} characters)`;
}
