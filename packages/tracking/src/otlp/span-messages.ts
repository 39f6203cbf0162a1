import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import { isObject } from "../../../../src/internal/index.ts";

/**
 * Messages as OpenTelemetry's conventions for generative AI shape them: text, calls of tools and
 * their results are parts, and so are pictures and files.
 */
export function spanMessages(messages: Json): Json[] {
  return Array.isArray(messages) ? messages.map(spanMessage) : [];
}

/** The reply of an LM's call: its text, or text and calls. */
export function spanReply(outputs: Json, finishReason: Json): JsonObject | undefined {
  const message = typeof outputs === "string" ? { content: outputs } : outputs;
  if (!isObject(message)) return undefined;
  return {
    ...spanMessage({ ...message, role: "assistant" }),
    finish_reason: finishReason,
  };
}

function spanMessage(message: Json): JsonObject {
  const { role = "user", content, toolCalls, toolCallId } = isObject(message) ? message : {};
  if (typeof toolCallId === "string") {
    const response = content ?? "";
    return { role: "tool", parts: [{ type: "tool_call_response", id: toolCallId, response }] };
  }
  const calls = Array.isArray(toolCalls) ? toolCalls.map(callPart) : [];
  const said = Array.isArray(content) ? content.map(mediaPart) : textParts(content);
  const parts = [...said, ...calls];
  return { role, parts: parts.length > 0 ? parts : [{ type: "text", content: "" }] };
}

function textParts(content: Json | undefined): Json[] {
  return typeof content === "string" && content !== "" ? [{ type: "text", content }] : [];
}

function callPart(call: Json): JsonObject {
  const { id = "", name = "", arguments: given = "" } = isObject(call) ? call : {};
  return { type: "tool_call", id, name, arguments: given };
}

/** Their data was replaced by placeholders. */
function mediaPart(part: Json): JsonObject {
  const { type, text, url = "", mediaType } = isObject(part) ? part : {};
  if (type === "text") return { type, content: text ?? "" };
  return {
    type: "uri",
    modality: type === "image" ? "image" : "file",
    uri: url,
    ...(mediaType !== undefined && { mime_type: mediaType }),
  };
}
