import { withoutChatTokens, withoutTags } from "../../../internal/index.ts";
import { escapedLines } from "./escaped-lines.ts";

/**
 * A text as a prompt shows it between the headings of the frame, so that room is measured on what
 * is actually sent.
 */
export function asText(text: string): string {
  return withoutTags(withoutChatTokens(escapedLines(text, "heading")));
}
