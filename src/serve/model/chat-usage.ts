import type { LmCallRecord, LmUsage, Trace, TraceNode } from "../../contract/index.ts";
import { sumKnown } from "../../internal/index.ts";

/** The cost of one answer, summed over all language model calls of the program. */
export interface ChatUsage extends LmUsage {
  /** Requests, including failed ones, whose tokens are unknown and not counted. */
  readonly lmCalls: number;
}

/**
 * Sums a trace. Cached replies count like sent requests; a field that is `null` for one reply is
 * `null` in the sum.
 */
export function traceUsage({ children }: Pick<Trace, "children">): ChatUsage {
  const calls = children.flatMap((node) => callsIn(node));
  return calls.reduce<ChatUsage>(
    (sum, { usage }) => (usage === null ? sum : withUsage(sum, usage)),
    { ...noUsage, lmCalls: calls.length },
  );
}

/** The usage of a run without LM calls. */
export const noUsage: ChatUsage = Object.freeze({
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
  lmCalls: 0,
});

function callsIn(node: TraceNode): readonly LmCallRecord[] {
  if (node.kind === "scope") return node.children.flatMap((child) => callsIn(child));
  return node.calls ?? [];
}

function withUsage(sum: ChatUsage, usage: LmUsage): ChatUsage {
  return {
    lmCalls: sum.lmCalls,
    promptTokens: sumKnown(sum.promptTokens, usage.promptTokens),
    completionTokens: sumKnown(sum.completionTokens, usage.completionTokens),
    cachedPromptTokens: sumKnown(sum.cachedPromptTokens, usage.cachedPromptTokens),
    reasoningTokens: sumKnown(sum.reasoningTokens, usage.reasoningTokens),
  };
}
