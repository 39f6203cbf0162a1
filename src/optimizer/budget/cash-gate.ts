import type { LanguageModel } from "../../contract/index.ts";
import { admission } from "./admission.ts";
import type { Budget, Price, PriceTable } from "./budget.ts";
import { promptBound } from "./call-gate.ts";

/** Keeps what is billed under a cap; stands next to the server, so that recorded replies are free. */
export interface CashGate {
  wrap(lm: LanguageModel): LanguageModel;
  /** In US dollars, since the run began. */
  readonly spentUsd: number;
}

export function cashGate({ costUsd }: Budget, prices: PriceTable = {}, startUsd = 0): CashGate {
  const cash = admission("costUsd", costUsd, startUsd);
  return {
    get spentUsd() {
      return cash.spent;
    },
    wrap: (lm) => ({
      identity: lm.identity,
      doGenerate: async (request, options) => {
        const price = prices[options?.role ?? "student"];
        const { messages, sampling } = request;
        const worst = costOf(promptBound(messages), sampling.maxCompletionTokens, price);
        await cash.admit(worst);
        let actual = 0;
        try {
          const reply = await lm.doGenerate(request, options);
          const { promptTokens, completionTokens } = reply.usage;
          if (reply.source === "server") actual = costOf(promptTokens, completionTokens, price);
          return reply;
        } finally {
          cash.settle(worst, actual);
        }
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
