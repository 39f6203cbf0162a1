import type { LanguageModel } from "../../contract/index.ts";
import type { Allowance } from "../../runner/index.ts";
import type { PriceTable } from "./budget.ts";
import { capOf } from "./budget-stop.ts";
import { callGate } from "./call-gate.ts";
import { cashGate } from "./cash-gate.ts";
import { requestGate } from "./request-gate.ts";

/** Holds one run of an example under its allowance. */
export interface AllowanceLimits {
  wrap(lm: LanguageModel): LanguageModel;
  /** The cap that a call did not fit under; absent: all did. */
  lacking(): keyof Allowance | undefined;
}

export function allowanceLimits(allowance: Allowance, prices?: PriceTable): AllowanceLimits {
  const gate = callGate(allowance);
  const cash = cashGate(allowance, prices);
  const requests = requestGate(allowance);
  let lacking: keyof Allowance | undefined;
  return {
    wrap: (lm) => {
      const gated = gate.wrap(cash.wrap(requests.wrap(lm)));
      return {
        identity: lm.identity,
        doGenerate: async (request, options) => {
          try {
            return await gated.doGenerate(request, options);
          } catch (error) {
            lacking ??= capOf(error) as keyof Allowance | undefined;
            throw error;
          }
        },
      };
    },
    lacking: () => lacking,
  };
}
