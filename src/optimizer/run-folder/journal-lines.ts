import type { Failure, Json, LmReply, LmRole } from "../../contract/index.ts";
import type { Usage, WorstTokens } from "../budget/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { Rollout } from "../evaluation/rollout.ts";

/** A decision of the run; numbered from 0, without gaps. */
export type DecisionLine = OptimizerEvent & { readonly sequence: number };

/** Whether a line of a journal is a decision; if not, it is a `WorkLine`. */
export function isDecision(line: object): line is DecisionLine {
  return "sequence" in line;
}

/**
 * What was done, in the order in which it was done. Awaited results are written before use, and so
 * before the decisions that they lead to.
 */
export type WorkLine =
  | ({ readonly kind: "sent"; readonly key: string } & Sent)
  /** A further request for a call; what the one before may have cost, in US dollars. */
  | { readonly kind: "sent-again"; readonly key: string; readonly lostUsd?: number }
  | { readonly kind: "reply"; readonly key: string; readonly reply: LmReply }
  /** A call that the run needs again after a restart, and whose reply it has. */
  | { readonly kind: "reused"; readonly key: string }
  | { readonly kind: "failed"; readonly key: string; readonly failure: Failure }
  | { readonly kind: "rollout"; readonly step: number; readonly rollout: Rollout }
  | ({ readonly kind: "failed-reflection"; readonly step: number } & FailedReflection)
  | { readonly kind: "proposed"; readonly step: number; readonly value: Json }
  | { readonly kind: "observed"; readonly question: number; readonly answer: Json }
  /** Where the run was asked to end through its folder; `reason: null` takes that back. */
  | { readonly kind: "stopped"; readonly asked: number; readonly reason: string | null }
  | { readonly kind: "cut-short"; readonly step: number; readonly detail: string }
  | { readonly kind: "elapsed"; readonly ms: number }
  /** Another run begins with the replies above; the decisions of the one before are gone. */
  | { readonly kind: "restart" };

export interface Sent {
  readonly role: LmRole;
  /** The maximum cost of the call, in US dollars; 0 without prices. */
  readonly worstUsd?: number;
}

/** The end of a call of the reflection LM without a result. */
export interface FailedReflection {
  readonly failure: Failure;
  readonly usage: Usage;
  readonly worst: WorstTokens;
}
