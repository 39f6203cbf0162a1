import type { LmMessage } from "../../contract/index.ts";
import { textOfContent } from "../../contract/index.ts";

/**
 * The same messages with the system's text before that of the first user message, for models whose
 * chat template knows no system role.
 */
export function withoutSystem(messages: readonly LmMessage[]): readonly LmMessage[] {
  const system = messages.filter(({ role }) => role === "system");
  const others = messages.filter(({ role }) => role !== "system");
  const text = system.map(({ content }) => textOfContent(content)).join("\n\n");
  const at = others.findIndex(({ role }) => role === "user");
  if (text === "") return others;
  if (at === -1) return [{ role: "user", content: text }, ...others];
  return others.map((message, index) =>
    index === at ? { ...message, content: after(text, message.content) } : message,
  );
}

function after(text: string, content: LmMessage["content"]): LmMessage["content"] {
  return typeof content === "string"
    ? `${text}\n\n${content}`
    : [{ type: "text", text: `${text}\n\n` }, ...content];
}
