import type { LanguageModel, LmRequest, LmRole } from "../../contract/index.ts";
import type { Admission } from "./admission.ts";
import { admission } from "./admission.ts";
import type { Budget, Price, PriceTable } from "./budget.ts";
import { priceOf } from "./budget.ts";
import { promptBound } from "./call-gate.ts";
import { eachRequest } from "./each-request.ts";
import { mayBeBilled } from "./may-be-billed.ts";

/** Keeps billed cost under a cap. It wraps the server directly, so recorded replies are free. */
export interface CashGate {
  wrap(lm: LanguageModel): LanguageModel;
  /** The most that a call can cost, in US dollars; charged when the call's end is unknown. */
  worstUsd(request: LmRequest, role: LmRole): number;
  /** The admission that holds the cap, for room that is reserved for a whole run. */
  readonly cap: Admission;
  /** In US dollars since the run began; requests with an unknown end count at their worst case. */
  readonly spentUsd: number;
}

export function cashGate({ costUsd }: Budget, prices: PriceTable = {}, startUsd = 0): CashGate {
  const cash = admission("costUsd", costUsd, startUsd);
  const worstUsd: CashGate["worstUsd"] = (request, role) => {
    const price = priceOf(role, prices);
    if (price === undefined) return 0;
    return costOf(promptBound(request), request.sampling.maxCompletionTokens, price);
  };
  return {
    cap: cash,
    worstUsd,
    get spentUsd() {
      return cash.spent;
    },
    wrap: (lm) => ({
      identity: lm.identity,
      doGenerate: (request, options) => {
        const role = options?.role ?? "student";
        const worst = worstUsd(request, role);
        return eachRequest(cash, lm, {
          request,
          options,
          worst,
          actualOf: ({ source, usage: { promptTokens, completionTokens } }) => {
            if (source !== "server") return 0;
            return promptTokens === null || completionTokens === null
              ? worst
              : costOf(promptTokens, completionTokens, priceOf(role, prices));
          },
          lostTo: (fault) => (mayBeBilled(fault) ? worst : 0),
        });
      },
    }),
  };
}

/** In US dollars. */
export function costOf(
  promptTokens: number,
  completionTokens: number,
  price: Price | undefined,
): number {
  if (price === undefined) return 0;
  const { promptUsdPerMillion, completionUsdPerMillion } = price;
  return (promptTokens * promptUsdPerMillion + completionTokens * completionUsdPerMillion) / 1e6;
}

/** What was sent in each role, in US dollars; roles without a price count as free. */
export function costOfRoles(
  billed: {
    readonly [Role in LmRole]?: {
      readonly promptTokens: number;
      readonly completionTokens: number;
    };
  },
  prices: PriceTable | undefined,
): number {
  return Object.entries(billed).reduce((sum, [role, { promptTokens, completionTokens }]) => {
    return sum + costOf(promptTokens, completionTokens, priceOf(role as LmRole, prices));
  }, 0);
}
