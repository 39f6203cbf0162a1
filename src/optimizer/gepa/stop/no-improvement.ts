import { checkCount } from "../strategy/check-range.ts";
import type { Stopper } from "../strategy/strategy.ts";

/** Ends the run once the best candidate has not changed for this many iterations. */
export function noImprovement({ iterations }: { readonly iterations: number }): Stopper {
  checkCount("iterations", iterations);
  return {
    name: "no-improvement",
    settings: { iterations },
    endsByItself: true,
    stop: ({ iterations: started, best }) =>
      started - best.iteration >= iterations
        ? `candidate ${best.id} has been the best for ${started - best.iteration} iterations`
        : null,
  };
}
