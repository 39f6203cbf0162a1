import type { Blame, Trace, TraceNode } from "../../contract/index.ts";

/** Which predictors answer for what, by their names in the program. */
export interface BlamedPredictors {
  /** Those that decide what is retrieved; told only where it is known what is relevant. */
  readonly retrieving?: readonly string[];
  /** Those that decide whether there is enough to answer from. */
  readonly abstaining?: readonly string[];
  /** Those that write the answer. */
  readonly answering?: readonly string[];
}

/**
 * Blame on those of the predictors that the run called: one that another route left out has nothing
 * to learn from it. All of them where the trace names no call at all.
 */
export function blameOn(
  { children }: Trace,
  predictors: readonly string[] | undefined,
  said: Pick<Blame, "score" | "text">,
): readonly Blame[] {
  const called = new Set(predictorNames(children));
  return (predictors ?? [])
    .filter((predictor) => called.size === 0 || called.has(predictor))
    .map((path) => ({ path, ...said }));
}

function predictorNames(nodes: readonly TraceNode[]): readonly string[] {
  return nodes.flatMap((node) =>
    node.kind === "scope"
      ? predictorNames(node.children)
      : node.kind === "predictor"
        ? node.predictor
        : [],
  );
}
