import { property } from "../client/reply-values.ts";
import type { WirePart, WireText, WireWords } from "./chat-envelope.ts";

/**
 * What a message, or a piece of one, says and thinks; `null` where it holds neither. Mistral's
 * reasoning models send both as parts of the content.
 */
export function textsOf({ content, reasoning, reasoning_content: older }: WireText): {
  readonly content: string | null;
  readonly reasoning: string | null;
} {
  return {
    content: wordsIn(content, "text"),
    reasoning:
      wordsIn(reasoning, "text") ??
      wordsIn(older, "text") ??
      (typeof content === "string" ? null : wordsIn(content, "thinking")),
  };
}

/** Text as it is, and the parts of one kind joined. */
function wordsIn(words: WireWords, kind: "text" | "thinking"): string | null {
  if (words === null || words === undefined || typeof words === "string") return words ?? null;
  const parts: readonly WirePart[] = Array.isArray(words) ? words : [words as WirePart];
  const texts = parts.flatMap((part) => {
    const held = part[kind];
    if (typeof held === "string") return [held];
    // Thoughts are parts themselves.
    const inner: readonly unknown[] = Array.isArray(held) ? held : [];
    return inner.map((one) => property(one, "text")).filter((one) => typeof one === "string");
  });
  return texts.length === 0 ? null : texts.join("");
}
