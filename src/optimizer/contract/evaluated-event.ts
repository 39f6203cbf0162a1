import type { SplitName } from "../../contract/index.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerEvent } from "./optimizer-event.ts";

/** The event for rollouts of a candidate on a split. */
export function evaluatedEvent(
  { value, scores, coverage }: Pick<StepEvaluation, "value" | "scores" | "coverage">,
  at: {
    readonly iteration: number;
    readonly candidate: number | "proposed";
    readonly split: SplitName;
    /** @default 0 */
    readonly inherited?: number;
  },
): OptimizerEvent {
  const { iteration, candidate, split, inherited = 0 } = at;
  return {
    kind: "candidate-evaluated",
    iteration,
    candidate,
    split,
    value,
    scores,
    coverage,
    inherited,
  };
}
