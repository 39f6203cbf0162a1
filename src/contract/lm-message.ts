import type { JsonSchema } from "./json.ts";

export interface LmTextPart {
  readonly type: "text";
  readonly text: string;
}

/** An image for a vision model: at an `https:` or `http:` URL, or as a `data:` URL. */
export interface LmImagePart {
  readonly type: "image";
  readonly url: string;
}

/**
 * A document, such as a PDF, for a server that accepts documents: at an `https:` or `http:` URL, or
 * as a `data:` URL in base64.
 */
export interface LmFilePart {
  readonly type: "file";
  readonly url: string;
  /** `application/pdf`. */
  readonly mediaType: string;
  /** As the model is told it. */
  readonly name?: string;
}

export type LmPart = LmTextPart | LmImagePart | LmFilePart;

/** A call that the model asks for. */
export interface LmToolCall {
  /** Ties the result to the call; as the server gave it. */
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, which need not be valid. */
  readonly arguments: string;
}

/** A message that contains only text holds it as a string, never as a list of one part. */
export interface LmMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly LmPart[];
  /** Of an assistant's message; absent: none. */
  readonly toolCalls?: readonly LmToolCall[];
  /** Of a tool's message: the call that it answers. */
  readonly toolCallId?: string;
}

/** A message that contains only text. */
export interface LmTextMessage extends LmMessage {
  readonly content: string;
}

/** A function that the model may ask for. */
export interface LmTool {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly description: string;
  /** Of an object: the arguments. */
  readonly parameters: JsonSchema;
}

/** The text of a content, its parts joined by line breaks; pictures and files are left out. */
export function textOfContent(content: LmMessage["content"] = ""): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** All text of a message that counts as its prompt: content and the calls that it holds. */
export function textOfMessage({ content, toolCalls = [] }: LmMessage): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name} ${given}`);
  return [textOfContent(content), ...calls].join("\n");
}

/** What a prompt calls its image number `number`, counted from 1 across all of its messages. */
export function imageName(number: number): string {
  return `(image ${number})`;
}

/** The images in messages, in order. */
export function imagesIn(messages: readonly LmMessage[]): readonly LmImagePart[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === "image"),
  );
}

/** Which kinds of parts, other than text, messages contain. */
export function mediaIn(messages: readonly LmMessage[]): {
  readonly images: boolean;
  readonly files: boolean;
} {
  return { images: imagesIn(messages).length > 0, files: filesIn(messages).length > 0 };
}

/** The files in messages, in order. */
export function filesIn(messages: readonly LmMessage[]): readonly LmFilePart[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === "file"),
  );
}

/** One message of a conversation. Lists of turns are oldest first. */
export interface Turn {
  readonly speaker: "user" | "assistant";
  readonly text: string;
}
