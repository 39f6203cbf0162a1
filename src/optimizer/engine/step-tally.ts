import type { Budget, CallGate, RoleUsage, UsageByRole } from "../budget/index.ts";
import { budgetStop, noUsage, sumByRole, totalUsage } from "../budget/index.ts";
import type { Spent } from "../contract/optimizer.ts";

type Counted = "metricCalls" | "reflectionCalls";

/** What the steps of a run have used, and what they may count up to. */
export interface StepTally {
  readonly spent: Spent;
  /** What calls used in steps that stand. */
  readonly used: UsageByRole;
  /** What calls used in a step that a cap cut short: which ones had ended depends on timing. */
  readonly cutShort: UsageByRole;
  /** Throws `budget-exhausted` where so many more exceed their cap. */
  check(counted: Counted, more: number): void;
  /** Ends a step that stands; throws `budget-exhausted` where its calls exceed a cap. */
  settle(usage: RoleUsage, counts: { readonly [Name in Counted]?: number }): void;
  /** Ends a step that does not. */
  cut(): void;
}

export function stepTally(budget: Budget, gate: CallGate): StepTally {
  const counts = { metricCalls: 0, reflectionCalls: 0 };
  let used: UsageByRole = { student: noUsage, reflection: noUsage };
  let cutShort = used;
  let spent: Spent = { ...counts, ...gate.spent };
  return {
    get spent() {
      return spent;
    },
    get used() {
      return used;
    },
    get cutShort() {
      return cutShort;
    },
    check: (counted, more) => {
      const cap = budget[counted];
      if (cap !== undefined && counts[counted] + more > cap) {
        throw budgetStop(counted, cap, counts[counted]);
      }
    },
    settle: (usage, { metricCalls = 0, reflectionCalls = 0 }) => {
      gate.settle(totalUsage(usage));
      used = { ...used, ...sumByRole([used, usage]) };
      counts.metricCalls += metricCalls;
      counts.reflectionCalls += reflectionCalls;
      spent = { ...counts, ...gate.spent };
    },
    cut: () => {
      cutShort = { ...cutShort, ...sumByRole([cutShort, gate.step]) };
    },
  };
}
