import type { LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/**
 * Hard caps of one run; at least one, unless the optimizer ends by itself. What would exceed a cap
 * is not begun. Calls and tokens are counted as if nothing were cached, so that a warm cache
 * changes no result; money is what was billed.
 */
export interface Budget {
  /** Rollouts performed and judged; a re-run after a fault is the same rollout. */
  readonly metricCalls?: number;
  /** Texts asked of the reflection LM, those that were refused included. */
  readonly reflectionCalls?: number;
  /**
   * Calls of all LMs that the run asks together: student, reflection, judges, and what reranks with
   * an LM.
   */
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

/**
 * A role that costs nothing has prices of 0: a role without a price is not taken for free. Judges
 * and rerankers that ask the student's LM cost what the student does, unless they have prices of
 * their own.
 */
export type PriceTable = { readonly [Role in LmRole]?: Price };

/** What a role's calls cost. */
export function priceOf(role: LmRole, prices: PriceTable | undefined): Price | undefined {
  const own = prices?.[role];
  return own === undefined && role !== "reflection" ? prices?.student : own;
}

/**
 * Refuses, with `option-invalid`, a budget with a cap that is no positive number, or without one
 * where the optimizer does not end by itself; a price that is no number of at least 0; and a cap on
 * money where a role that the run uses has no price.
 */
export function checkBudget(
  budget: Budget,
  {
    prices,
    roles,
    endsByItself = false,
  }: {
    readonly prices?: PriceTable | undefined;
    /** Those of the calls that the run can make. */
    readonly roles: readonly LmRole[];
    readonly endsByItself?: boolean | undefined;
  },
): void {
  checkPrices(prices);
  const missing = rolesWithoutPrice(roles, prices);
  if (budget.costUsd !== undefined && missing.length > 0) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A budget in money needs the price of every LM that the run asks",
      expected: "`prices`, in US dollars per million tokens, by role; 0 for what is free",
      got: `costUsd ${budget.costUsd} without prices for ${missing.map((role) => `\`${role}\``).join(" and ")}`,
    });
  }
  const caps = Object.entries(budget);
  const wrong = caps.find(([, cap]) => !(typeof cap === "number" && cap > 0));
  // What costs nothing is never stopped by a cap on money.
  const isFree = roles.every((role) => {
    const { promptUsdPerMillion = 0, completionUsdPerMillion = 0 } = prices?.[role] ?? {};
    return promptUsdPerMillion + completionUsdPerMillion === 0;
  });
  const isBounded = endsByItself || caps.some(([name]) => name !== "costUsd" || !isFree);
  if (isBounded && wrong === undefined) return;
  const noCap = caps.length === 0 ? "none" : "`costUsd` alone, where nothing costs";
  throw new EspalierError({
    code: "option-invalid",
    problem: "A run needs a budget",
    expected:
      "at least one cap above 0: `metricCalls`, `reflectionCalls`, `lmCalls`, `tokens`, `costUsd` or `wallTimeMs`",
    got: wrong === undefined ? noCap : `\`${wrong[0]}\` ${String(wrong[1])}`,
    fix: "Give `budget: { metricCalls: 500 }`, --budget 500 on the command line, or a stopper that ends every run.",
  });
}

/** Those of the roles that no price is known of. */
export function rolesWithoutPrice(
  roles: readonly LmRole[],
  prices: PriceTable | undefined,
): readonly LmRole[] {
  return roles.filter((role) => prices?.[role] === undefined);
}

function checkPrices(prices: PriceTable = {}): void {
  for (const [role, price] of Object.entries(prices)) {
    for (const name of ["promptUsdPerMillion", "completionUsdPerMillion"] as const) {
      const usd = price[name];
      if (Number.isFinite(usd) && usd >= 0) continue;
      throw new EspalierError({
        code: "option-invalid",
        problem: "A price cannot take this value",
        where: `prices.${role}.${name}`,
        expected: "US dollars per million tokens, a number of at least 0",
        got: String(usd),
      });
    }
  }
}
