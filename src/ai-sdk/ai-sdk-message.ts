import type { LmMessage } from "../contract/index.ts";
import { textOfContent } from "../contract/index.ts";
import { imageDataIn } from "../internal/index.ts";
import type { AiSdkFile, AiSdkMessage } from "./ai-sdk-model.ts";

/** A message of text, and of pictures if it is the user's, as the interface's version takes it. */
export function aiSdkMessage({ role, content }: LmMessage, version: string): AiSdkMessage {
  const text = textOfContent(content);
  if (role === "system") return { role, content: text };
  if (role === "assistant") return { role, content: [{ type: "text", text }] };
  if (typeof content === "string") return { role: "user", content: [{ type: "text", text }] };
  return {
    role: "user",
    content: content.map((part) =>
      part.type === "text" ? { type: "text", text: part.text } : filePart(part.url, version),
    ),
  };
}

function filePart(url: string, version: string): AiSdkFile {
  const held = imageDataIn(url);
  const isNamed = version === "v4";
  if (held === null) {
    const address = new URL(url);
    return {
      type: "file",
      mediaType: "image/*",
      data: isNamed ? { type: "url", url: address } : address,
    };
  }
  const { type: mediaType, base64 } = held;
  return { type: "file", mediaType, data: isNamed ? { type: "data", data: base64 } : base64 };
}
