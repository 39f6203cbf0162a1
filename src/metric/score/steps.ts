import type { Metric, Trace, TraceNode } from "../../contract/index.ts";
import { metric } from "./metric.ts";
import { notApplicable, scored } from "./scores.ts";

/** What counts as a step: calls of a predictor, calls of a retriever, or scopes by name. */
export type StepKind =
  | { readonly predictor: string }
  | { readonly retriever: string }
  /** Scopes are named by the last part of their path without the key: `hop` of `hop[2]`. */
  | { readonly scope: string };

/** Number of steps of a run, at any depth; the positive figure in tables. */
export function stepsIn({ children }: Trace, kind: StepKind): number {
  return countIn(children, kind);
}

/**
 * Metric `negated_steps`: the negative number of steps, since in every metric higher is better; a
 * mean of -2.31 reads "2.31 steps per example". `most` is the allowed number of steps, for the
 * feedback, and the count for a run with unparseable output; without it the metric does not apply
 * to such a run.
 *
 * @example negatedSteps({ count: ({ trace }) => stepsIn(trace, { retriever: "bm25" }) })
 */
export function negatedSteps<TOutput = unknown>({
  count,
  most,
}: {
  readonly count: (run: { readonly trace: Trace; readonly output: TOutput }) => number;
  /** @default none */
  readonly most?: number;
}): Metric<unknown, TOutput, unknown> {
  return metric({
    name: "negated_steps",
    version: "1",
    score: ({ trace, output }) => {
      const steps = count({ trace, output });
      const isTooMany = most !== undefined && steps > most;
      // Not `-steps`, which would be -0 for no steps.
      return scored(
        0 - steps,
        `Took ${steps} ${steps === 1 ? "step" : "steps"}${isTooMany ? `, more than ${most}` : ""}.`,
      );
    },
    // 0 would be the best score. A failed run counts as having used all allowed steps, or is not
    // applicable.
    formatFailure: ({ message }) =>
      most === undefined
        ? notApplicable("The run failed, and its steps led nowhere.")
        : scored(0 - most, message),
  });
}

function countIn(nodes: readonly TraceNode[], kind: StepKind): number {
  return nodes.reduce(
    (count, node) =>
      count +
      (isStep(node, kind) ? 1 : 0) +
      (node.kind === "scope" ? countIn(node.children, kind) : 0),
    0,
  );
}

function isStep(node: TraceNode, kind: StepKind): boolean {
  if ("predictor" in kind) return node.kind === "predictor" && node.predictor === kind.predictor;
  if ("retriever" in kind) return node.kind === "retrieval" && node.retriever === kind.retriever;
  return node.kind === "scope" && nameOf(node.path) === kind.scope;
}

/**
 * The last name of a path such as `hop[1]/search[2]`; keys contain neither slashes nor brackets.
 */
function nameOf(path: string): string | undefined {
  return path.slice(path.lastIndexOf("/") + 1).split("[", 1)[0];
}
