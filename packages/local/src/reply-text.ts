import type { LmReply, LmToolCall } from "../../../src/contract/index.ts";

/** What a model wrote, told apart: thoughts, calls of tools, and the answer. */
export type ReplyParts = Pick<LmReply, "content" | "reasoning" | "toolCalls">;

const thought = { from: "<think>", to: "</think>" };

/**
 * @param tools names of the tools that were offered. Their calls are read in the form that Qwen and
 *   Hermes write: `<tool_call>{"name": ..., "arguments": ...}</tool_call>`. Small models forget the
 *   tags: a reply that is one such object, and nothing else, is a call too.
 */
export function replyParts(text: string, tools: readonly string[]): ReplyParts {
  const { reasoning, rest } = withoutThoughts(text);
  const { calls, rest: content } =
    tools.length === 0 ? { calls: [], rest } : withoutCalls(rest, tools);
  return {
    content: content === "" ? null : content,
    reasoning,
    ...(calls.length > 0 && { toolCalls: calls }),
  };
}

/** A reply that ends within its thoughts has no answer. */
function withoutThoughts(text: string): {
  readonly reasoning: string | null;
  readonly rest: string;
} {
  const begun = text.trimStart();
  if (!begun.startsWith(thought.from)) return { reasoning: null, rest: text };
  const end = begun.indexOf(thought.to);
  const inside = begun.slice(thought.from.length, end === -1 ? undefined : end).trim();
  const rest = end === -1 ? "" : begun.slice(end + thought.to.length).trimStart();
  return { reasoning: inside === "" ? null : inside, rest };
}

const toolCall = /<tool_call>\s*(\{.*?\})\s*(?:<\/tool_call>|$)/gs;

function withoutCalls(
  text: string,
  tools: readonly string[],
): { readonly calls: readonly LmToolCall[]; readonly rest: string } {
  const bare = /^\s*\{.*\}\s*$/s.test(text) ? callIn(text, 1) : undefined;
  if (bare !== undefined && tools.includes(bare.name)) return { calls: [bare], rest: "" };
  const calls: LmToolCall[] = [];
  const rest = text.replaceAll(toolCall, (whole, json: string) => {
    const call = callIn(json, calls.length + 1);
    if (call === undefined) return whole;
    calls.push(call);
    return "";
  });
  return { calls, rest: calls.length > 0 ? rest.trim() : text };
}

function callIn(json: string, number: number): LmToolCall | undefined {
  try {
    const { name, arguments: given = {} } = JSON.parse(json) as Record<string, unknown>;
    if (typeof name !== "string") return undefined;
    const written = typeof given === "string" ? given : JSON.stringify(given);
    return { id: `call-${number}`, name, arguments: written };
  } catch {
    return undefined;
  }
}
