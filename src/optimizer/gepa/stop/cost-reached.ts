import { EspalierError } from "../../../errors/index.ts";
import { checkAmount } from "../strategy/check-range.ts";
import type { Stopper } from "../strategy/strategy.ts";

/**
 * Ends the run once this amount, in US dollars, was billed. The run needs prices for every role in
 * use: without them it throws `option-invalid` before the first iteration.
 */
export function costReached(usd: number): Stopper {
  checkAmount("usd", usd);
  return {
    name: "cost",
    settings: { usd },
    looksOutside: true,
    endsByItself: true,
    stop: ({ costUsd }) => {
      if (costUsd === null) {
        throw new EspalierError({
          code: "option-invalid",
          problem: "A cost stopper needs prices",
          expected: "`prices`, in US dollars per million tokens, by role",
          got: `costReached(${usd}) without prices`,
        });
      }
      return costUsd >= usd ? `${costUsd.toFixed(4)} of ${usd} US dollars` : null;
    },
  };
}
