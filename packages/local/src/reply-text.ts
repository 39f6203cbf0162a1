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

const toolCall = { from: "<tool_call>", to: "</tool_call>" };

function withoutCalls(
  text: string,
  tools: readonly string[],
): { readonly calls: readonly LmToolCall[]; readonly rest: string } {
  const bare = callIn(text, 1);
  if (bare !== undefined && tools.includes(bare.name)) return { calls: [bare], rest: "" };
  const calls: LmToolCall[] = [];
  const [before = "", ...parts] = text.split(toolCall.from);
  const rest = parts.map((part) => {
    const end = part.indexOf(toolCall.to);
    const call = callIn(end === -1 ? part : part.slice(0, end), calls.length + 1);
    if (call === undefined) return `${toolCall.from}${part}`;
    calls.push(call);
    return end === -1 ? "" : part.slice(end + toolCall.to.length);
  });
  return { calls, rest: calls.length > 0 ? [before, ...rest].join("").trim() : text };
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
