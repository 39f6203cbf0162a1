import { EspalierError, failureOf } from "../../errors/index.ts";
import type { RowCosts } from "../../experiment/index.ts";
import type { Budget } from "../../optimizer/index.ts";

/** What one part of a row spent. */
export interface Spent extends RowCosts {
  readonly reflectionCalls: number;
}

/** The tighter cap of each kind. */
export function tighter(own: Budget, other: Budget): Budget {
  const caps = Object.keys({ ...own, ...other }) as (keyof Budget)[];
  return Object.fromEntries(
    caps.map((cap) => [cap, Math.min(own[cap] ?? Infinity, other[cap] ?? Infinity)]),
  );
}

/**
 * Why no more may be sent: what is on file took more than there is, as under a smaller cap than
 * before. `undefined` if more may be.
 */
export function overspent(what: string, left: Budget, onFile: Spent): string | undefined {
  const taken = charged(onFile);
  const caps = Object.keys(left) as (keyof typeof taken)[];
  const cap = caps.find((each) => (taken[each] ?? 0) > (left[each] ?? Infinity));
  return cap === undefined
    ? undefined
    : `${what} has taken \`${cap}\` of ${taken[cap]}, and the budget has ${left[cap]} left`;
}

/**
 * What a search may spend of what is left: one of equal parts, of which each row that is still to
 * be scored has another.
 */
export function searchShare(left: Budget, rows: number): Budget {
  return Object.fromEntries(
    Object.entries(left).map(([cap, limit]: [string, number]) => {
      const part = limit / (rows + 1);
      return [cap, cap === "costUsd" || cap === "wallTimeMs" ? part : Math.floor(part)];
    }),
  );
}

/** A cap that leaves nothing. */
export function usedUp(budget: Budget): keyof Budget | undefined {
  const caps = Object.keys(budget) as (keyof Budget)[];
  return caps.find((cap) => (budget[cap] ?? Infinity) <= 0);
}

/** What counts against the caps. */
export function charged(spent: Spent): Required<Omit<Budget, "toolCalls">> {
  return {
    metricCalls: spent.metricCalls,
    reflectionCalls: spent.reflectionCalls,
    lmCalls: spent.lmCalls,
    tokens: spent.promptTokens + spent.completionTokens,
    costUsd: spent.usd ?? 0,
    wallTimeMs: 1000 * spent.seconds,
  };
}

/** A budget without what is spent of it; a cap may end at or below 0. */
export function lessThan(budget: Budget, spent: Budget): Budget {
  return Object.fromEntries(
    Object.entries(budget).map(([cap, limit]: [string, number]) => [
      cap,
      limit - (spent[cap as keyof Budget] ?? 0),
    ]),
  );
}

/** Which cap stopped something, for a cell of the table. */
export function budgetText(error: unknown): string {
  if (!EspalierError.isInstance(error)) return failureOf(error).message;
  const { cause, report } = error;
  // An evaluation wraps the error of the call that did not fit.
  if (EspalierError.isInstance(cause) && cause.kind === "budget") return budgetText(cause);
  const { problem, where, expected, got } = report;
  const cap = where === undefined ? "" : ` (${where})`;
  const figures = [expected, got].filter((part) => part !== undefined).join(", ");
  return figures === "" ? `${problem}${cap}` : `${problem}${cap}: ${figures}`;
}
