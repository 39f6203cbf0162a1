import type { Budget, PriceTable } from "../../../optimizer/index.ts";
import { planEvaluation, planOptimization } from "../../../optimizer/index.ts";
import type { PreparedRow } from "./prepared-row.ts";
import { ownBudget } from "./prepared-row.ts";
import type { FinishedRow } from "./row-outcomes.ts";
import type { RowDone, Spent } from "./row-record.ts";
import { failureOf } from "../../../errors/index.ts";
import { checkInputs } from "../../../internal/index.ts";

/** What is left of an experiment's budget after some rows. */
export function remaining(budget: Budget, done: readonly RowDone[]): Budget {
  return done
    .flatMap(({ evaluation, search, cutShort }) => [
      charged(evaluation),
      ...(search === undefined ? [] : [charged(search)]),
      cutShort,
    ])
    .reduce(lessThan, budget);
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

/** A cap of which the budget allows more than is left. */
export function capBeyond(budget: Budget, left: Budget): keyof Budget | undefined {
  const caps = Object.keys(left) as (keyof Budget)[];
  return caps.find((cap) => (budget[cap] ?? Infinity) > (left[cap] ?? Infinity));
}

/** A row with the prices of its LMs. */
interface PricedRow {
  readonly row: PreparedRow;
  readonly prices: PriceTable | undefined;
}

/**
 * What the first of the rows may spend on its optimization: what is left without the scoring of all
 * of them, in equal shares for those that optimize.
 */
export function searchShare(
  left: Budget,
  rows: readonly PricedRow[],
  finished: readonly FinishedRow[],
): Budget {
  const scoring = rows.map((each) => reserved(each, finished));
  const free = scoring.reduce((budget, each) => lessThan(budget, each), left);
  const sharers = rows.filter(({ row }) => row.optimizer !== undefined).length;
  return Object.fromEntries(
    Object.entries(free).map(([cap, limit]: [string, number]) => [
      cap,
      isCounted(cap) ? Math.floor(limit / sharers) : limit / sharers,
    ]),
  );
}

function isCounted(cap: string): boolean {
  return cap !== "costUsd" && cap !== "wallTimeMs";
}

/**
 * What a row must keep for its score: by what finished rows took for an example, those of the same
 * program if there are any, or else by estimate, with a margin, and with room for the longest reply
 * of one call.
 */
function reserved(
  { row: { study, examples }, prices }: PricedRow,
  finished: readonly FinishedRow[],
): Budget {
  const plan = planEvaluation(study, { examples, ...(prices && { prices }) });
  const { promptTokens, completionTokens, usd } = plan;
  const same = finished.filter(({ evaluation }) => evaluation.program.name === study.program.name);
  const measured = (same.length === 0 ? finished : same).map(({ done }) => done.evaluation);
  const inAll = (of: (spent: Spent) => number, estimate: number): number =>
    measured.length === 0
      ? 2 * estimate
      : 1.25 * examples.length * Math.max(...measured.map((each) => of(each) / each.metricCalls));
  const longest = (3 * promptTokens + completionTokens.most) / Math.max(1, plan.calls);
  const tokens = promptTokens + completionTokens.typical;
  return {
    metricCalls: examples.length,
    lmCalls: Math.ceil(inAll(({ lmCalls }) => lmCalls, plan.calls)),
    tokens: Math.ceil(
      longest + inAll((spent) => spent.promptTokens + spent.completionTokens, tokens),
    ),
    costUsd:
      inAll((spent) => spent.usd ?? 0, usd?.typical ?? 0) +
      (usd?.most ?? 0) / Math.max(1, plan.calls),
    wallTimeMs: inAll(({ seconds }) => 1000 * seconds, 0),
  };
}

/**
 * Rejects a row that would fail before its first call: examples that its program cannot take, and
 * data or settings that its optimizer cannot use. A budget that is too small is no fault: more may
 * be left than the row would get now.
 *
 * @throws EspalierError `input-invalid`, and what `planOptimization()` throws
 */
export function checkRow(
  row: PreparedRow,
  { budget, prices }: { readonly budget: Budget; readonly prices: PriceTable | undefined },
): void {
  const { study, examples, optimizer } = row;
  checkInputs(study.program, examples);
  if (optimizer === undefined) return;
  try {
    const own = tighter(ownBudget(row), budget);
    planOptimization(study, { optimizer, budget: own, ...(prices && { prices }) });
  } catch (error) {
    if (failureOf(error).kind !== "budget") throw error;
  }
}
