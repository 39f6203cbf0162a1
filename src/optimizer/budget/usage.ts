import type { TraceNode } from "../../contract/index.ts";

/** What LM calls used, as if nothing were cached. */
export interface Usage {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type UsageByRole = Readonly<Record<"student" | "reflection", Usage>>;

export const noUsage: Usage = Object.freeze({ calls: 0, promptTokens: 0, completionTokens: 0 });

export function sumUsage(usages: Iterable<Usage>): Usage {
  const sum = { ...noUsage };
  for (const usage of usages) {
    sum.calls += usage.calls;
    sum.promptTokens += usage.promptTokens;
    sum.completionTokens += usage.completionTokens;
  }
  return sum;
}

/** The answered calls in a trace. */
export function usageOf(nodes: readonly TraceNode[]): Usage {
  return sumUsage(usagesIn(nodes));
}

function* usagesIn(nodes: readonly TraceNode[]): Generator<Usage> {
  for (const node of nodes) {
    if (node.kind === "scope") yield* usagesIn(node.children);
    if (node.kind !== "predictor") continue;
    for (const { usage } of node.calls) {
      if (usage === null) continue;
      const { promptTokens, completionTokens } = usage;
      yield { calls: 1, promptTokens, completionTokens };
    }
  }
}
