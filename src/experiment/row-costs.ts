/** What a row cost, its optimization included. */
export interface RowCosts {
  /** Scored program runs. */
  readonly metricCalls: number;
  /** Of LMs in every role, as if nothing were cached. */
  readonly lmCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls that were sent to a server. */
  readonly billedCalls: number;
  /** What was sent, in US dollars; `null` without prices. */
  readonly usd: number | null;
  /** Wall time, across all processes that worked on the row. */
  readonly seconds: number;
}

/** Sums; no dollars if those of one are unknown. */
export function sumOfCosts(costs: readonly RowCosts[]): RowCosts {
  const sum = (of: (each: RowCosts) => number): number =>
    costs.reduce((total, each) => total + of(each), 0);
  return {
    metricCalls: sum((each) => each.metricCalls),
    lmCalls: sum((each) => each.lmCalls),
    promptTokens: sum((each) => each.promptTokens),
    completionTokens: sum((each) => each.completionTokens),
    billedCalls: sum((each) => each.billedCalls),
    usd: costs.some(({ usd }) => usd === null) ? null : sum(({ usd }) => usd ?? 0),
    seconds: sum((each) => each.seconds),
  };
}
