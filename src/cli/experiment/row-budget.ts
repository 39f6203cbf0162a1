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
    : `${what} has used ${taken[cap]} of \`${cap}\`, and the budget has only ${left[cap]} left`;
}

/** Rows without a result yet. */
export interface WaitingRows {
  readonly rows: number;
  /** Those of them that are optimized first. */
  readonly searches: number;
  /** Examples of all of them. */
  readonly examples: number;
}

/**
 * What a search may spend of what is left. Scoring takes one metric call for each example and no
 * reflection: searches share the rest equally. What scoring takes of another cap is not known
 * before: a search gets one of equal parts, of which each waiting row's score has another.
 */
export function searchShare(left: Budget, { rows, searches, examples }: WaitingRows): Budget {
  return Object.fromEntries(
    Object.entries(left).map(([cap, limit]: [string, number]) => {
      if (cap === "metricCalls") return [cap, Math.floor((limit - examples) / searches)];
      if (cap === "reflectionCalls") return [cap, Math.floor(limit / searches)];
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
