import type { Attempt, Failure, TraceNode } from "../contract/index.ts";

/**
 * The failure an attempt counts as; `null` when its output stands. A program may catch what its
 * calls throw and go on with a makeshift, but an output made under a fault, an empty budget or a
 * refusal by the server says nothing of the program: the failure that was swallowed stands.
 * A swallowed abortion does not, since a program may abort calls of its own; attempts of an
 * evaluation that is being aborted do not come here.
 */
export function standingFailure(attempt: Attempt<unknown>): Failure | null {
  return (
    standingAmong([...failuresIn(attempt.trace.children)]) ??
    (attempt.state === "failed" ? attempt.failure : null)
  );
}

/** Of failures that were caught, the one that stands all the same; `null` when none does. */
export function standingAmong(swallowed: readonly Failure[]): Failure | null {
  return (
    swallowed.find(({ kind }) => kind === "budget") ??
    swallowed.find(isRefusal) ??
    swallowed.find(({ kind }) => kind === "infrastructure") ??
    null
  );
}

/** Wrong credentials, URL or model: no example can fare better, and no program can repair it. */
function isRefusal({ kind, code }: Failure): boolean {
  return kind === "program" && (code.startsWith("lm-") || code === "recording-missing");
}

function* failuresIn(nodes: readonly TraceNode[]): Generator<Failure> {
  for (const node of nodes) {
    if (node.failure !== undefined) yield node.failure;
    if (node.kind === "scope") yield* failuresIn(node.children);
    // A correction cut short by a fault leaves a predictor whose own failure is one of format.
    if (node.kind === "predictor" && node.failure !== undefined) {
      for (const { failure } of node.calls) if (failure !== undefined) yield failure;
    }
    // A reranker that goes on without a reply ranks by accident.
    if (node.kind === "retrieval") {
      for (const { failure } of node.calls ?? []) if (failure !== undefined) yield failure;
    }
  }
}
