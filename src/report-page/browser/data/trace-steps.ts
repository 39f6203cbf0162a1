import type { PredictorTrace, TraceNode } from "../../../contract/index.ts";

/** The predictor calls of a trace, in the order they started. */
export function traceSteps(nodes: readonly TraceNode[]): readonly PredictorTrace[] {
  return nodes.flatMap((node) => {
    if (node.kind === "scope") return traceSteps(node.children);
    return node.kind === "predictor" ? [node] : [];
  });
}
