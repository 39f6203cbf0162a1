import type { LmMessage, LmPart } from "../contract/index.ts";
import { LmError } from "../errors/index.ts";
import { dataUrlParts } from "../internal/index.ts";
import type { AxChatRequest } from "./ax.ts";

type AxMessage = AxChatRequest["chatPrompt"][number];

/** A message as ax's services take it. */
export function axMessage({ role, content, toolCalls, toolCallId = "" }: LmMessage): AxMessage {
  if (role === "tool") return { role: "function", functionId: toolCallId, result: textIn(content) };
  if (role === "user") {
    return { role, content: typeof content === "string" ? content : content.map(axPart) };
  }
  if (role === "system" || toolCalls === undefined) return { role, content: textIn(content) };
  return {
    role,
    content: textIn(content),
    functionCalls: toolCalls.map(({ id, name, arguments: params }) => ({
      id,
      type: "function",
      function: { name, params },
    })),
  };
}

function axPart(part: LmPart): { type: "text"; text: string } | AxImage | AxFile {
  if (part.type === "text") return { type: "text", text: part.text };
  const held = dataUrlParts(part.url);
  if (held !== null && part.type === "image") {
    return { type: "image", mimeType: held.mediaType, image: held.base64 };
  }
  if (held !== null && part.type === "file") {
    const named = part.name !== undefined && { filename: part.name };
    return { type: "file", mimeType: part.mediaType, data: held.base64, ...named };
  }
  throw new LmError({
    code: "lm-unsupported",
    problem: `A hosted model does not accept ${part.type}s by URL`,
    expected: "its data, as a base64 `data:` URL",
    got: part.url.slice(0, 80),
    fix: "Load it and pass its data, or use `openAiCompatible` if the provider speaks that protocol.",
  });
}

interface AxFile {
  readonly type: "file";
  readonly mimeType: string;
  readonly data: string;
  readonly filename?: string;
}

interface AxImage {
  readonly type: "image";
  readonly mimeType: string;
  readonly image: string;
}

function textIn(content: LmMessage["content"]): string {
  if (typeof content === "string") return content;
  const texts = content.map((part) => (part.type === "text" ? part.text : null));
  if (!texts.includes(null)) return texts.join("\n");
  throw new LmError({
    code: "lm-unsupported",
    problem: "A hosted model accepts images and files only from the user",
    expected: "images and files in messages with the role `user`",
  });
}
