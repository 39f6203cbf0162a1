import type { LmMessage, LmPart, LmTextMessage } from "../../contract/index.ts";
import { imageName } from "../../contract/index.ts";

/**
 * Carries pictures through a prompt that is laid out as text: a mark stands in the place of each,
 * until the messages are cut there.
 */
export interface ImageMarks {
  /** The marks of an image, of a list of them, or what shows that there is none. */
  mark(value: unknown): string;
  /** The text without anything that could pass for a mark. */
  without(text: string): string;
  /** The messages with each picture as a part of its own, after its name. */
  placed(messages: readonly LmTextMessage[]): readonly LmMessage[];
  /** Marks for further pictures, whose numbers follow. */
  extended(): ImageMarks;
}

/** @param before pictures that have numbers already, in their order */
export function imageMarks(before: readonly string[] = []): ImageMarks {
  const urls = [...before];
  return {
    mark: (value) => {
      const given = (Array.isArray(value) ? value : [value]).filter(
        (each): each is string => typeof each === "string",
      );
      if (given.length === 0) return "(none)";
      return given.map((url) => `${edge}${urls.push(url)}${edge}`).join("\n");
    },
    without: (text) => text.replaceAll(edge, ""),
    placed: (messages) => messages.map((message) => withParts(message, urls)),
    extended: () => imageMarks(urls),
  };
}

// A private-use character, which the layout uses for nothing else.
const edge = "\uE001";
const marks = /\uE001(\d+)\uE001/;

/** Models see pictures in messages of the user alone; elsewhere their names remain. */
function withParts(message: LmTextMessage, urls: readonly string[]): LmMessage {
  // Splitting puts the texts at even indices and the numbers at odd ones.
  const pieces = message.content.split(marks);
  if (pieces.length === 1) return message;
  const parts: LmPart[] = [];
  let text = "";
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      text += piece;
      continue;
    }
    text += imageName(Number(piece));
    const url = urls[Number(piece) - 1];
    if (message.role !== "user" || url === undefined) continue;
    parts.push({ type: "text", text }, { type: "image", url });
    text = "";
  }
  if (parts.length === 0) return { ...message, content: text };
  if (text.trim() !== "") parts.push({ type: "text", text });
  return { ...message, content: parts };
}
