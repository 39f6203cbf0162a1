import { roundRobin } from "espalier/optimizer";
import type { ComponentSelection } from "espalier/optimizer";

/**
 * Cycles through the components along a lineage, also to those that did not run on the minibatch,
 * as in gepa 0.1.4, which then drops the proposal.
 */
export function strictRoundRobin(): ComponentSelection {
  const inTurn = roundRobin();
  return {
    ...inTurn,
    name: "strict-round-robin",
    select: (view, request) => inTurn.select(view, { ...request, isInvoked: () => true }),
  };
}
