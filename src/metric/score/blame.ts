import type { Blame, Trace, TraceNode } from "../../contract/index.ts";

/** The predictors responsible for each decision, by their names in the program. */
export interface BlamedPredictors {
  /** Those that decide what is retrieved; blamed only if the relevant passages are known. */
  readonly retrieving?: readonly string[];
  /** Those that decide whether there is enough evidence to answer. */
  readonly abstaining?: readonly string[];
  /** Those that write the answer. */
  readonly answering?: readonly string[];
}

/**
 * Blame on the predictors that the run called: a predictor on another route has nothing to learn
 * from it. Blames all of them if the trace contains no call.
 */
export function blameOn(
  { children }: Trace,
  predictors: readonly string[] | undefined,
  blame: Pick<Blame, "score" | "text">,
): readonly Blame[] {
  const called = new Set(predictorNames(children));
  return (predictors ?? [])
    .filter((predictor) => called.size === 0 || called.has(predictor))
    .map((path) => ({ path, ...blame }));
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
