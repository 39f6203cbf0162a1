import { checkAmount } from "../strategy/check-range.ts";
import type { Stopper, StopView } from "../strategy/strategy.ts";

/**
 * Ends the run once this many metric calls are spent. A budget in metric calls is never exceeded;
 * this stopper checks only between two iterations and may be exceeded by the cost of one iteration.
 */
export function metricCallsReached(metricCalls: number): Stopper {
  return reached("metric-calls", metricCalls, ({ spent }) => spent.metricCalls);
}

/** The same for LM calls of all roles, counted as if nothing were cached. */
export function lmCallsReached(lmCalls: number): Stopper {
  return reached("lm-calls", lmCalls, ({ spent }) => spent.lmCalls);
}

/** The same for prompt and completion tokens of all roles, counted as if nothing were cached. */
export function tokensReached(tokens: number): Stopper {
  return reached("tokens", tokens, ({ spent }) => spent.tokens);
}

function reached(name: string, limit: number, amountIn: (view: StopView) => number): Stopper {
  checkAmount(name, limit);
  return {
    name,
    settings: { limit },
    endsByItself: true,
    stop: (view) => {
      const amount = amountIn(view);
      return amount >= limit ? `${amount} of ${limit}` : null;
    },
  };
}
