import type { Budget, PriceTable } from "../../optimizer/index.ts";
import { planEvaluation } from "../../optimizer/index.ts";
import type { PreparedRow } from "./prepare-rows.ts";
import type { RowDone, Spent } from "./row-record.ts";

/** What is left of an experiment's budget after some rows. */
export function remaining(budget: Budget, done: readonly RowDone[]): Budget {
  const parts = done.flatMap(({ evaluation, search }) =>
    search === undefined ? [evaluation] : [evaluation, search],
  );
  const sum = (of: (each: Spent) => number): number =>
    parts.reduce((total, each) => total + of(each), 0);
  const cut = (of: (each: RowDone["cutShort"]) => number): number =>
    done.reduce((total, { cutShort }) => total + of(cutShort), 0);
  return lessThan(budget, {
    metricCalls: sum((each) => each.metricCalls),
    reflectionCalls: sum((each) => each.reflectionCalls),
    lmCalls: sum((each) => each.lmCalls) + cut((each) => each.lmCalls),
    tokens: sum((each) => each.promptTokens + each.completionTokens) + cut((each) => each.tokens),
    costUsd: sum(({ usd }) => usd ?? 0),
    wallTimeMs: sum(({ seconds }) => 1000 * seconds),
  });
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

/** The tighter cap of each kind. */
export function tighter(own: Budget, other: Budget): Budget {
  const caps = Object.keys({ ...own, ...other }) as (keyof Budget)[];
  return Object.fromEntries(
    caps.map((cap) => [cap, Math.min(own[cap] ?? Infinity, other[cap] ?? Infinity)]),
  );
}

/** A cap that leaves nothing. */
export function usedUp(budget: Budget): keyof Budget | undefined {
  const caps = Object.keys(budget) as (keyof Budget)[];
  return caps.find((cap) => (budget[cap] ?? Infinity) <= 0);
}

/**
 * What an optimizing row must leave for its own score: by what finished rows took for an example,
 * or by estimate, with a margin, and with room for the longest reply of one call.
 */
export function reserved(
  { study, examples }: PreparedRow,
  done: readonly RowDone[],
  prices: PriceTable | undefined,
): Budget {
  const plan = planEvaluation(study, { examples, ...(prices && { prices }) });
  const { promptTokens, completionTokens, usd } = plan;
  const { typical, most } = completionTokens;
  const perExample = (of: (spent: Spent) => number, estimate: number): number => {
    const measured = done.map(({ evaluation }) => of(evaluation) / evaluation.metricCalls);
    const margin = measured.length === 0 ? 2 : 1.25;
    return margin * Math.max(...(measured.length === 0 ? [estimate / examples.length] : measured));
  };
  const calls = Math.max(1, plan.calls);
  const tokens = perExample(
    (spent) => spent.promptTokens + spent.completionTokens,
    promptTokens + typical,
  );
  return {
    metricCalls: examples.length,
    lmCalls: Math.ceil(examples.length * perExample(({ lmCalls }) => lmCalls, plan.calls)),
    tokens: Math.ceil(examples.length * tokens + (3 * promptTokens + most) / calls),
    costUsd:
      examples.length * perExample((spent) => spent.usd ?? 0, usd?.typical ?? 0) +
      (usd?.most ?? 0) / calls,
    wallTimeMs: examples.length * perExample(({ seconds }) => 1000 * seconds, 0),
  };
}
