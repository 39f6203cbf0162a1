import type { LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * Hard caps of one run; at least one, unless the optimizer ends by itself. What would exceed a cap is
 * not begun. Calls and tokens are counted as if nothing were cached, so that a warm cache changes no
 * result; money is what was billed.
 */
export interface Budget {
  /** Rollouts performed and judged; a re-run after a fault is the same rollout. */
  readonly metricCalls?: number;
  /** Texts asked of the reflection LM, those that were refused included. */
  readonly reflectionCalls?: number;
  /** Calls of the student and the reflection LM together. */
  readonly lmCalls?: number;
  /** Prompt and completion tokens of these calls together. */
  readonly tokens?: number;
  /** In US dollars; needs `prices`. */
  readonly costUsd?: number;
  /** In milliseconds, over all resumptions. */
  readonly wallTimeMs?: number;
}

/** What a role's tokens cost, in US dollars per million. */
export interface Price {
  readonly promptUsdPerMillion: number;
  readonly completionUsdPerMillion: number;
}

export type PriceTable = { readonly [Role in LmRole]?: Price };

/**
 * Refuses a budget with a cap that is no positive number, or without one where the optimizer does not
 * end by itself, with `option-invalid`.
 */
export function checkBudget(
  budget: Budget,
  {
    prices,
    endsByItself = false,
  }: { readonly prices?: PriceTable | undefined; readonly endsByItself?: boolean | undefined },
): void {
  const caps = Object.entries(budget);
  const wrong = caps.find(([, cap]) => !(typeof cap === "number" && cap > 0));
  if ((caps.length > 0 || endsByItself) && wrong === undefined) {
    if (budget.costUsd === undefined || prices !== undefined) return;
    throw new EspalierError({
      code: "option-invalid",
      problem: "A budget in money needs prices",
      expected: "`prices`, in US dollars per million tokens, by role",
      got: `costUsd ${budget.costUsd} without prices`,
    });
  }
  throw new EspalierError({
    code: "option-invalid",
    problem: "A run needs a budget",
    expected:
      "at least one cap above 0: `metricCalls`, `reflectionCalls`, `lmCalls`, `tokens`, `costUsd` or `wallTimeMs`",
    got: wrong === undefined ? "none" : `\`${wrong[0]}\` ${String(wrong[1])}`,
    fix: "Give `budget: { metricCalls: 500 }`, or --budget 500 on the command line.",
  });
}
