import type { JsonObject, PredictorTrace, Trace, TraceNode } from "../../contract/index.ts";
import { canonicalJson } from "../../internal/index.ts";

/** Inputs by predictor name. */
export type RecordedInputs = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Picks at most `count` distinct inputs of each predictor from traces: the first calls of each
 * trace, then the second calls. Orders calls by path, not by time, so the same traces in the same
 * order give the same inputs however concurrent calls interleaved.
 */
export function recordedInputs(traces: readonly Trace[], count = 3): RecordedInputs {
  const calls = new Map<string, { readonly turn: number; readonly inputs: JsonObject }[]>();
  for (const { children } of traces) {
    const turns = new Map<string, number>();
    for (const { predictor, inputs } of renderedCalls(children).toSorted(byPath)) {
      const turn = turns.get(predictor) ?? 0;
      turns.set(predictor, turn + 1);
      const made = calls.get(predictor) ?? [];
      made.push({ turn, inputs });
      calls.set(predictor, made);
    }
  }
  return Object.fromEntries(
    [...calls]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([predictor, made]) => {
        const inTurns = made.toSorted((left, right) => left.turn - right.turn);
        const different = new Map(inTurns.map(({ inputs }) => [canonicalJson(inputs), inputs]));
        return [predictor, [...different.values()].slice(0, count)];
      }),
  );
}

/** Calls that rendered a prompt: a call with rejected inputs has none to compare with. */
function renderedCalls(nodes: readonly TraceNode[]): PredictorTrace[] {
  return nodes.flatMap((node) => {
    if (node.kind === "scope") return renderedCalls(node.children);
    return node.kind === "predictor" && node.calls.length > 0 ? [node] : [];
  });
}

function byPath(left: PredictorTrace, right: PredictorTrace): number {
  return left.path < right.path ? -1 : 1;
}
