import type { Allowance, Spending } from "../../runner/index.ts";
import type { Admission } from "./admission.ts";
import type { Budget, PriceTable } from "./budget.ts";
import { budgetStop } from "./budget-stop.ts";
import type { CallGate } from "./call-gate.ts";
import type { CashGate } from "./cash-gate.ts";

/**
 * The caps of a run, for rollouts that run elsewhere: room for all that one may spend is reserved
 * before it begins, so that the caps stay as hard as with one call after the other.
 */
export function sharedSpending({
  budget,
  prices,
  gate,
  cash,
}: {
  readonly budget: Budget;
  readonly prices: PriceTable | undefined;
  readonly gate: Pick<CallGate, "caps">;
  readonly cash: Pick<CashGate, "cap">;
}): Spending {
  // Always in this order, so that two that wait never wait for each other.
  const admissions: readonly (readonly [keyof Allowance, Admission])[] = [
    ["lmCalls", gate.caps.lmCalls],
    ["toolCalls", gate.caps.toolCalls],
    ["tokens", gate.caps.tokens],
    ["costUsd", cash.cap],
  ];
  return {
    ...(prices && { prices }),
    reserve: async (wanted) => {
      const held: [keyof Allowance, Admission, number][] = [];
      const release = (): void => {
        for (const [, admission, granted] of held.splice(0)) admission.settle(granted, 0);
      };
      try {
        for (const [cap, admission] of admissions) {
          const granted = await admission.admitUpTo(wanted[cap]);
          if (granted !== undefined) held.push([cap, admission, granted]);
        }
      } catch (error) {
        release();
        throw error;
      }
      const spentOf = Object.fromEntries(admissions);
      return {
        granted: Object.fromEntries(held.map(([cap, , granted]) => [cap, granted])),
        exceeded: (cap) => budgetStop(cap, budget[cap] ?? 0, spentOf[cap]?.spent ?? 0),
        release,
      };
    },
  };
}
