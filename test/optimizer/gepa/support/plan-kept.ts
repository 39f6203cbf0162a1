import type { OptimizerEvent, OptimizerPlan, StopReason } from "espalier/optimizer";
import { roundRobin } from "espalier/optimizer";
import { anyOnVal, epochMinibatches } from "../../../conformance/reference/index.ts";
import type { FlatGepaOptions } from "../../support/gepa-with.ts";

/** GEPA without reuse, gates and joint components. */
export const plain: FlatGepaOptions = {
  minibatch: epochMinibatches(),
  component: roundRobin(),
  gateAbove: 0,
  scoreReuse: "none",
  secondTries: 0,
  valAcceptance: anyOnVal(),
};

const ran = new Set(["not-better", "not-better-on-val", "not-selected", "low-coverage"]);

/** Where a run went beyond what its plan says, or not so far. */
export function broken(
  { proposals, fullValidations }: OptimizerPlan,
  reason: StopReason,
  events: readonly OptimizerEvent[],
): readonly string[] {
  const accepted = events.filter(({ kind }) => kind === "candidate-accepted").length;
  const refused = events.flatMap((event) =>
    event.kind === "candidate-refused" ? [event.reason] : [],
  );
  const tried = accepted - 1 + refused.filter((why) => ran.has(why)).length;
  // Perfect minibatches, and texts that are refused unseen, spend runs on parents alone.
  const skipped = events.filter(({ kind }) => kind === "proposal-skipped").length;
  const others = refused.filter((why) => !ran.has(why)).length + skipped;
  const { least, most } = proposals ?? { least: Infinity, most: 0 };
  return [
    ...(tried <= most ? [] : [`${tried} proposals where ${most} are the most`]),
    ...(reason !== "budget" || tried + others >= least
      ? []
      : [`${tried} and ${others} proposals where ${least} are the least`]),
    ...(accepted <= (fullValidations ?? 0) ? [] : [`${accepted} evaluations on all of val`]),
  ];
}
