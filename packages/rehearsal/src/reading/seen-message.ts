import type { LmMessage, LmTextMessage } from "../../../../src/contract/index.ts";
import { imageName, textOfContent } from "../../../../src/contract/index.ts";
import { lineOrBlock } from "../../../../src/internal/index.ts";
import { seenImage } from "./seen-image.ts";

/**
 * A message as text, with what is known of each picture in the place of its name, or where the
 * picture stands.
 *
 * @param isTagged whether several lines of a value stand inside of a tag
 * @param before number of pictures in earlier messages
 */
export function seenMessage(
  { role, content }: LmMessage,
  { isTagged, before }: { readonly isTagged: boolean; readonly before: number },
): LmTextMessage {
  if (typeof content === "string" || content.every(({ type }) => type === "text")) {
    return { role, content: textOfContent(content) };
  }
  let text = "";
  let number = before;
  for (const part of content) {
    if (part.type !== "image") {
      text += part.type === "text" ? part.text : "";
      continue;
    }
    const seen = seenImage(part.url);
    const shown = isTagged ? lineOrBlock(seen) : seen;
    const name = imageName(++number);
    text = text.endsWith(name) ? text.slice(0, -name.length) + shown : `${text}\n${shown}\n`;
  }
  return { role, content: text };
}
