import { expect } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import type { SearchPhase } from "../../../src/optimizer/contract/event-order.ts";
import { eventOrder } from "../../../src/optimizer/contract/event-order.ts";

/** Expects the events of a run, whether or not it has ended, in an order that the table allows. */
export function expectOrder(events: readonly OptimizerEvent[]): void {
  let state: SearchPhase = "not begun";
  for (const [index, { kind }] of events.entries()) {
    const next: SearchPhase | undefined = eventOrder[state][kind];
    expect(next, `event ${index}, ${kind}, of a run that is ${state}`).toBeDefined();
    state = next ?? state;
  }
}
