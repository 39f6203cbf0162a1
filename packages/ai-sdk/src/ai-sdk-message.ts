import type { LmFilePart, LmImagePart, LmMessage, LmPart, LmToolCall } from "../../../src/index.ts";
import { textOfContent } from "../../../src/contract/index.ts";
import { dataUrlParts, exactJson, imageDataIn } from "../../../src/internal/index.ts";
import type { AiSdkFile, AiSdkMessage, AiSdkToolCall, AiSdkToolResult } from "./ai-sdk-model.ts";

/**
 * Messages as the interface's version takes them: results of calls made at once are one message,
 * and name their tool.
 */
export function aiSdkPrompt(
  messages: readonly LmMessage[],
  version: string,
): readonly AiSdkMessage[] {
  const names = new Map<string, string>();
  const prompt: AiSdkMessage[] = [];
  let results: AiSdkToolResult[] = [];
  for (const message of messages) {
    if (message.role !== "tool") {
      results = [];
      for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
      prompt.push(aiSdkMessage(message, version));
      continue;
    }
    if (results.length === 0) prompt.push({ role: "tool", content: results });
    results.push(toolResult(message, names));
  }
  return prompt;
}

function aiSdkMessage({ role, content, toolCalls = [] }: LmMessage, version: string): AiSdkMessage {
  const text = textOfContent(content);
  if (role === "system") return { role, content: text };
  if (role === "assistant") {
    const isSilent = text === "" && toolCalls.length > 0;
    const said = isSilent ? [] : [{ type: "text", text } as const];
    return { role, content: [...said, ...toolCalls.map(toolCall)] };
  }
  const parts: readonly LmPart[] = typeof content === "string" ? [{ type: "text", text }] : content;
  return {
    role: "user",
    content: parts.map((part) => {
      if (part.type === "text") return { type: "text", text: part.text };
      return part.type === "image" ? imagePart(part, version) : filePart(part, version);
    }),
  };
}

function toolCall({ id, name, arguments: given }: LmToolCall): AiSdkToolCall {
  return { type: "tool-call", toolCallId: id, toolName: name, input: inputIn(given) };
}

/** Providers write the input as JSON again, so what is no JSON goes as text. */
function inputIn(written: string): unknown {
  try {
    return exactJson(written);
  } catch {
    return written;
  }
}

function toolResult(
  { content, toolCallId = "" }: LmMessage,
  names: ReadonlyMap<string, string>,
): AiSdkToolResult {
  return {
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "",
    output: { type: "text", value: textOfContent(content) },
  };
}

function imagePart({ url }: LmImagePart, version: string): AiSdkFile {
  const held = imageDataIn(url);
  return held === null
    ? filePart({ type: "file", url, mediaType: "image/*" }, version)
    : filePart({ type: "file", url, mediaType: held.type }, version);
}

function filePart({ url, mediaType, name }: LmFilePart, version: string): AiSdkFile {
  const isNamed = version === "v4";
  const base64 = dataUrlParts(url)?.base64;
  const named = name !== undefined && { filename: name };
  if (base64 !== undefined) {
    const data = isNamed ? ({ type: "data", data: base64 } as const) : base64;
    return { type: "file", mediaType, data, ...named };
  }
  const address = new URL(url);
  const data = isNamed ? ({ type: "url", url: address } as const) : address;
  return { type: "file", mediaType, data, ...named };
}
