import { paretoParent, strictImprovement } from "espalier/optimizer";
import { anyOnVal, epochMinibatches, strictRoundRobin } from "../../conformance/reference/index.ts";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";

/**
 * GEPA as in the paper and its reference implementation, built from our own parts: the baseline for
 * the shipped defaults where the peer cannot run. Hard caps stay, so that its figures are
 * comparable with the peer's "within" figures.
 */
export function plainGepa(): FlatGepaOptions {
  return {
    parent: paretoParent(),
    minibatch: epochMinibatches({ size: 3 }),
    component: strictRoundRobin(),
    minibatchAcceptance: strictImprovement(),
    valAcceptance: anyOnVal(),
    valSample: null,
    scoreReuse: "none",
    gateAbove: 0,
    checks: [],
    secondTries: 0,
    // The reference does not stop early: it draws minibatches until the budget is spent.
    maxIdleIterations: 10_000,
  };
}
