/** A gate's decision on a turn. */
export interface GateDecision {
  readonly verdict: "ANSWERABLE" | "PARTIAL" | "UNANSWERABLE";
  /** From 0 to 1. */
  readonly confidence: number;
  /** The rule that decided, for the trace. */
  readonly rule: string;
}
