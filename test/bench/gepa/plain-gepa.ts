import {
  anyOnVal,
  epochMinibatches,
  fullValidation,
  paretoParent,
  roundRobin,
  strictImprovement,
} from "espalier/optimizer";
import type { FlatGepaOptions } from "../../optimizer/support/gepa-with.ts";

/**
 * GEPA as the paper and its reference have it, out of our own parts: what the shipped defaults are
 * measured against where the peer cannot be run. Hard caps stay, so that its figures compare with the
 * peer's "within" ones.
 */
export function plainGepa(): FlatGepaOptions {
  const component = roundRobin({ onlyInvoked: false });
  return {
    parent: paretoParent(),
    minibatch: epochMinibatches({ size: 3 }),
    component,
    minibatchAcceptance: strictImprovement(),
    valAcceptance: anyOnVal(),
    validation: fullValidation(),
    inheritance: "none",
    gateAbove: 0,
    checks: [],
    secondTries: 0,
    // The reference has no such end: it draws minibatches until the budget is spent.
    maxIdleIterations: 10_000,
  };
}
