import type { LmRole } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { linkedAbort } from "../../internal/index.ts";

/**
 * Hard caps of one run. At least one is required unless the optimizer ends by itself. Work that
 * would exceed a cap is never started. Calls and tokens are counted as if nothing were cached, so a
 * warm cache changes no result; money is the amount billed.
 */
export interface Budget {
  /** Rollouts performed and judged; a re-run after a fault counts as the same rollout. */
  readonly metricCalls?: number;
  /**
   * Texts requested from the reflection LM, including rejected ones. @default a quarter of the
   * rollouts that `metricCalls` allows, rounded up; none where no reflection LM is asked
   */
  readonly reflectionCalls?: number;
  /**
   * Calls of all LMs in the run together: student, reflection, teacher, judges and rerankers. Also,
   * over all resumptions, the requests to their servers, those sent again after a fault among them.
   */
  readonly lmCalls?: number;
  /**
   * Calls of agents' tools, those that a record answers among them. Also, over all resumptions, the
   * calls that may have reached a tool, those that a kill interrupted among them.
   */
  readonly toolCalls?: number;
  /** Prompt and completion tokens of these calls together. */
  readonly tokens?: number;
  /** In US dollars; requires `prices`. */
  readonly costUsd?: number;
  /** In milliseconds, across all resumptions. */
  readonly wallTimeMs?: number;
}

/**
 * A budget whose cap on metric calls bounds reflections, too: where scores are reused, a text may
 * cost next to no metric call, and a search would ask for as many as it likes.
 */
export function withReflectionCap(
  budget: Budget,
  {
    asksReflection = true,
    repetitions = 1,
  }: { readonly asksReflection?: boolean; readonly repetitions?: number },
): Budget {
  const { metricCalls, reflectionCalls } = budget;
  if (!asksReflection || metricCalls === undefined || reflectionCalls !== undefined) return budget;
  return { ...budget, reflectionCalls: Math.ceil(metricCalls / repetitions / 4) };
}

/**
 * How many of several fit, asked from all of them down: answers may be recorded, so that a resumed
 * run must ask the same.
 */
export function maxFitting(all: number, fits: (count: number) => boolean): number {
  let count = all;
  while (count > 0 && !fits(count)) count--;
  return count;
}

/** Token prices of a role, in US dollars per million. */
export interface Price {
  readonly promptUsdPerMillion: number;
  readonly completionUsdPerMillion: number;
}

/**
 * Give a free role prices of 0: a role without a price does not count as free. Judges and rerankers
 * that use the student's LM cost what the student costs, unless they have their own prices.
 */
export type PriceTable = { readonly [Role in LmRole]?: Price };

/** The price of a role's calls. */
export function priceOf(role: LmRole, prices: PriceTable | undefined): Price | undefined {
  const own = prices?.[role];
  return own === undefined && !withOwnLm.has(role) ? prices?.student : own;
}

/** Roles that only an LM other than the student's plays, or that have a price of their own. */
const withOwnLm: ReadonlySet<LmRole> = new Set<LmRole>(["reflection", "teacher", "tool"]);

/**
 * Throws `option-invalid` for a cap that is not a positive number, for a budget without caps when
 * the optimizer does not end by itself, for a price that is not a number of at least 0, and for a
 * cap on money when a role in use has no price.
 */
export function checkBudget(
  budget: Budget,
  {
    prices,
    roles,
    endsByItself = false,
  }: {
    readonly prices?: PriceTable | undefined;
    /** The roles of the calls that the run can make. */
    readonly roles: readonly LmRole[];
    readonly endsByItself?: boolean | undefined;
  },
): void {
  checkPrices(prices);
  const missing = rolesWithoutPrice(roles, prices);
  if (budget.costUsd !== undefined && missing.length > 0) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A cost budget needs the price of every LM that the run calls",
      expected: "`prices`, in US dollars per million tokens, by role; 0 for a free LM",
      got: `costUsd ${budget.costUsd} without prices for ${missing.map((role) => `\`${role}\``).join(" and ")}`,
    });
  }
  const caps = Object.entries(budget);
  const wrong = caps.find(([, cap]) => !(typeof cap === "number" && cap > 0));
  // Free calls never hit a cap on money.
  const isFree = roles.every((role) => {
    const { promptUsdPerMillion = 0, completionUsdPerMillion = 0 } = prices?.[role] ?? {};
    return promptUsdPerMillion + completionUsdPerMillion === 0;
  });
  const isBounded = endsByItself || caps.some(([name]) => name !== "costUsd" || !isFree);
  if (isBounded && wrong === undefined) return;
  const noCap = caps.length === 0 ? "none" : "only `costUsd`, with every price at 0";
  throw new EspalierError({
    code: "option-invalid",
    problem: "A run needs a budget",
    expected:
      "at least one cap above 0: `metricCalls`, `reflectionCalls`, `lmCalls`, `toolCalls`, `tokens`, `costUsd` or `wallTimeMs`",
    got: wrong === undefined ? noCap : `\`${wrong[0]}\` ${String(wrong[1])}`,
    fix: "Set `budget: { metricCalls: 500 }`, pass --budget 500, or add a stopper that ends every run.",
  });
}

/** The roles that have no price. */
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
        problem: "A price is outside its range",
        where: `prices.${role}.${name}`,
        expected: "US dollars per million tokens, a number of at least 0",
        got: String(usd),
      });
    }
  }
}

/** The caps that a step can hit. */
export type Cap = keyof Budget;

/** The error for a call that could exceed a cap. */
export function budgetStop(cap: Cap, limit: number, spent: number): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "The next call could exceed the budget",
    where: `${field}${cap}`,
    expected: `at most ${limit}`,
    got: `${spent} already spent`,
  });
}

const field = "budget.";

/**
 * The cap that caused such an error, or an error that such an error caused; `undefined` for any
 * other error.
 */
export function capOf(error: unknown): Cap | undefined {
  if (!EspalierError.isInstance(error) || error.kind !== "budget") return undefined;
  const { where = "" } = error.report;
  return where.startsWith(field) ? (where.slice(field.length) as Cap) : capOf(error.cause);
}

/** Throws `budget-exhausted` if one evaluation of the seed exceeds the budget. */
export function checkBudgetSize(
  budget: Budget,
  caps: readonly ("metricCalls" | "lmCalls" | "tokens")[],
  {
    seedEvaluation: needed,
    repetitions,
    purpose,
  }: {
    /** Metric calls that the seed's evaluation takes. */
    readonly seedEvaluation: number;
    /** Metric calls per example. */
    readonly repetitions: number;
    /** What the evaluation is for, as shown in the error message. */
    readonly purpose: string;
  },
): void {
  for (const cap of caps) {
    const limit = budget[cap];
    if (limit === undefined || limit >= needed) continue;
    throw new EspalierError({
      code: "budget-exhausted",
      problem: "The budget is smaller than one evaluation",
      expected: `\`${cap}\` of at least ${needed}, ${repetitions === 1 ? "one" : repetitions} for each of ${needed / repetitions} examples in \`val\`, to score the program as it is${purpose}`,
      got: `${limit}`,
      fix: "Raise the budget: about ten times this minimum is useful. Nothing was spent.",
    });
  }
}

/** The cap on wall time, across all processes of a run. */
export interface Deadline {
  spentMs(): number;
  leftMs(): number;
  /**
   * Returns the signal for one step: the caller's signal combined with the deadline, or the
   * caller's alone if the step only replays recorded work. Dispose it when the step has ended.
   */
  bound(
    caller: AbortSignal | undefined,
    isRepeated: boolean,
  ): Disposable & { readonly signal: AbortSignal; isOver(): boolean };
}

export function deadline(capMs: number | undefined, startMs: number, clock: Clock): Deadline {
  const startedAt = clock.now();
  const spentMs = (): number => startMs + clock.now() - startedAt;
  const leftMs = (): number => (capMs ?? Infinity) - spentMs();
  const neverAborted = new AbortController().signal;
  const unbound = (signal: AbortSignal): ReturnType<Deadline["bound"]> => ({
    signal,
    isOver: () => false,
    [Symbol.dispose]: () => {},
  });
  let last = unbound(neverAborted);
  return {
    spentMs,
    leftMs,
    bound: (caller = neverAborted, isRepeated) => {
      if (capMs === undefined || isRepeated) {
        if (last.signal !== caller) last = unbound(caller);
        return last;
      }
      const over = new AbortController();
      const either = linkedAbort([caller, over.signal]);
      const stopped = new AbortController();
      // The longest delay a timer supports; a longer cap is checked again before the next step.
      const waitMs = Math.min(Math.max(0, leftMs()), 2 ** 31 - 1);
      clock.sleep(waitMs, stopped.signal).then(
        () => over.abort(),
        () => {},
      );
      return {
        signal: either.signal,
        isOver: () => over.signal.aborted,
        [Symbol.dispose]: () => {
          stopped.abort();
          either.release();
        },
      };
    },
  };
}
