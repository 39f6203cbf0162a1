import type { Attempt, Failure, TraceNode } from "../contract/index.ts";

/**
 * The failure that decides an attempt; `null` if its output counts. A program may catch the errors
 * of its calls and continue with a fallback, but an output made under a fault, an exhausted budget
 * or a rejection by the server says nothing about the program: the swallowed failure decides. A
 * swallowed abort does not, since a program may abort its own calls; attempts of an evaluation that
 * is being aborted never get here.
 */
export function effectiveFailure(attempt: Attempt<unknown>): Failure | null {
  return (
    effectiveAmong([...failuresIn(attempt.trace.children)]) ??
    (attempt.state === "failed" ? attempt.failure : null)
  );
}

/**
 * The one of the caught failures that decides the attempt nevertheless; `null` if there is none.
 */
export function effectiveAmong(swallowed: readonly Failure[]): Failure | null {
  return (
    swallowed.find(({ kind }) => kind === "budget") ??
    swallowed.find(isRefusal) ??
    swallowed.find(({ kind }) => kind === "infrastructure") ??
    null
  );
}

/**
 * Wrong credentials, URL or model: every example fails the same way, and no program can repair it.
 */
function isRefusal({ kind, code }: Failure): boolean {
  return kind === "program" && code.startsWith("lm-");
}

function* failuresIn(nodes: readonly TraceNode[]): Generator<Failure> {
  for (const node of nodes) {
    if (node.failure !== undefined) yield node.failure;
    if (node.kind === "scope") yield* failuresIn(node.children);
    // A correction interrupted by a fault leaves a predictor whose own failure is a format failure.
    if (node.kind === "predictor" && node.failure !== undefined) {
      for (const { failure } of node.calls) if (failure !== undefined) yield failure;
    }
    // A reranker that continues without a reply ranks arbitrarily.
    if (node.kind === "retrieval") {
      for (const { failure } of node.calls ?? []) if (failure !== undefined) yield failure;
    }
  }
}
