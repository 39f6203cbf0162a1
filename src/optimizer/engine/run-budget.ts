import type { LanguageModel, LmRole } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import type {
  Budget,
  CallGate,
  Cap,
  PriceTable,
  RoleUsage,
  Usage,
  UsageByRole,
} from "../budget/index.ts";
import {
  budgetStop,
  callGate,
  capOf,
  deadline,
  noUsage,
  rolesWithoutPrice,
  serverGate,
  sharedSpending,
  sumByRole,
  toolCallsOf,
  totalUsage,
} from "../budget/index.ts";
import type { Spending } from "../../runner/index.ts";
import type { Spent, StepNeed } from "../contract/optimizer.ts";
import { journalled } from "../run-folder/index.ts";
import type { Replay } from "./replay.ts";

type Counted = "metricCalls" | "reflectionCalls";
type Need = { readonly [Name in Counted]: number };

export type RunBudget = ReturnType<typeof runBudget>;

/**
 * A run's budget: lets calls through, counts what was spent, and tells whether a step still fits
 * and which cap ended the run.
 */
export function runBudget({
  budget,
  prices,
  roles,
  repetitions,
  afforded,
  replay: past,
  clock,
}: {
  readonly budget: Budget;
  readonly prices?: PriceTable | undefined;
  /** The roles of the calls that the run can make. */
  readonly roles: readonly LmRole[];
  /** Metric calls per rollout. */
  readonly repetitions: number;
  /** The plan's estimate of the metric calls that other caps allow, where these are tighter. */
  readonly afforded?: number | undefined;
  readonly replay: Replay;
  readonly clock: Clock;
}) {
  const { log } = past;
  const gate = callGate(budget);
  const { unendedUsd } = log;
  const server = serverGate(budget, prices, { billed: log.billed(), unendedUsd });
  const time = deadline(budget.wallTimeMs, log.elapsedMs, clock);
  const hasPrices = prices !== undefined && rolesWithoutPrice(roles, prices).length === 0;
  const counts = { metricCalls: 0, reflectionCalls: 0 };
  let used: UsageByRole = { student: noUsage, reflection: noUsage };
  let cutShort = used;
  let spent: Spent = { ...counts, ...gate.spent };
  let exhausted: string | undefined;
  const note = (...caps: readonly Cap[]): void => {
    const names = caps.map((cap) => `\`${cap}\``).join(" or ");
    exhausted = `the next step could exceed ${names}`;
  };

  const unfitCounted = (need: Need): Counted | null => {
    const { metricCalls = Infinity, reflectionCalls = Infinity } = budget;
    if (counts.metricCalls + need.metricCalls > metricCalls) return "metricCalls";
    const texts = counts.reflectionCalls + need.reflectionCalls;
    return texts > reflectionCalls ? "reflectionCalls" : null;
  };
  const unfitByEstimate = ({ metricCalls: more, reflectionCalls: texts }: Need): Cap | null => {
    const { lmCalls = Infinity, tokens = Infinity, toolCalls = Infinity } = budget;
    const usedTools = toolCallsOf(used);
    const moreTools = (usedTools / Math.max(1, spent.metricCalls)) * more;
    if (usedTools + moreTools > toolCalls) return "toolCalls";
    if (lmCalls === Infinity && tokens === Infinity) return null;
    const { reflection: _reflection, ...ofRollouts } = used;
    const rollout = meanOf(totalUsage(ofRollouts), spent.metricCalls);
    const reflection = meanOf(used.reflection, used.reflection.calls);
    const expected = {
      calls: more * rollout.calls + texts,
      tokens: more * rollout.tokens + texts * reflection.tokens,
    };
    if (spent.lmCalls + expected.calls > lmCalls) return "lmCalls";
    return spent.tokens + expected.tokens > tokens ? "tokens" : null;
  };
  /** A resumed run cannot repeat what time and money allowed, so the answer is recorded. */
  const unfitObserved = ({ metricCalls: more }: Need): Cap | null => {
    const { costUsd, wallTimeMs } = budget;
    if (costUsd === undefined && wallTimeMs === undefined) return null;
    const fits = past.observe((): Cap | true => {
      const spentUsd = hasPrices ? server.cash.spent : 0;
      const expectedUsd = (spentUsd / Math.max(1, spent.metricCalls)) * more;
      if (spentUsd + expectedUsd > (costUsd ?? Infinity)) return "costUsd";
      return time.leftMs() > 0 || "wallTimeMs";
    });
    return fits === true ? null : fits;
  };
  const unfitCap = ({ rollouts, reflectionCalls }: StepNeed): Cap | null => {
    const need = { metricCalls: rollouts * repetitions, reflectionCalls };
    return unfitCounted(need) ?? unfitByEstimate(need) ?? unfitObserved(need);
  };

  const cut = (error: unknown): void => {
    cutShort = { ...cutShort, ...sumByRole([cutShort, gate.step]) };
    const cap = capOf(error);
    if (cap === undefined) return;
    // Which of the two caps a call hits first depends on which other calls have ended.
    const isEither = (cap === "lmCalls" || cap === "tokens") && hasBoth(budget);
    if (isEither) note("lmCalls", "tokens");
    else note(cap);
  };

  const spending = sharedSpending({ budget, prices, gate, server });

  return {
    /** The caps on calls and tokens. */
    get gate(): CallGate {
      return gate;
    },
    /** The caps on calls and money, for rollouts that run elsewhere. */
    get spending(): Spending {
      return spending;
    },
    /**
     * Lets calls through to the server under the caps on requests and money. Each call is recorded
     * before it is sent, and each reply before it is used.
     */
    journalled: (lm: LanguageModel): LanguageModel =>
      journalled(lm, log, server, () => past.checkCaughtUp()),
    get spent(): Spent {
      return spent;
    },
    /** Usage of the steps that stand. */
    get used(): UsageByRole {
      return used;
    },
    /** Usage of a step that a cap cut short; which of its calls had ended depends on timing. */
    get cutShort(): UsageByRole {
      return cutShort;
    },
    /**
     * What depends on more than the seed: milliseconds across all processes of the run, and US
     * dollars billed, with calls of unknown end at their worst case; `null` unless every role in
     * use has a price.
     */
    get observed(): { readonly elapsedMs: number; readonly costUsd: number | null } {
      return { elapsedMs: time.spentMs(), costUsd: hasPrices ? server.cash.spent : null };
    },
    /**
     * Names the cap that blocked a step last, in a few words. It contains no figures, which may
     * depend on timing. `undefined` until a cap blocks a step.
     */
    get exhausted(): string | undefined {
      return exhausted;
    },
    /**
     * Whether a step may begin: exact for counted resources; the rest is estimated from earlier
     * steps.
     */
    fits: (need: StepNeed): boolean => {
      const unfit = unfitCap(need);
      if (unfit !== null) note(unfit);
      return unfit === null;
    },
    /** See `OptimizerRun`; unlike `fits`, it blames no cap. */
    rolloutsLeft: (reflectionCalls: number): number =>
      largestFitting((rollouts) => unfitCap({ rollouts, reflectionCalls }) === null),
    /** See `OptimizerRun`. */
    rolloutsExpected: (): number => {
      const { metricCalls = Infinity, lmCalls, tokens, costUsd } = budget;
      const isEstimated = [lmCalls, tokens, costUsd].some((limit) => limit !== undefined);
      // Another version may estimate otherwise, so the answer is recorded.
      const estimate = isEstimated ? past.observe(() => afforded ?? null) : null;
      const most = Math.min(metricCalls, estimate ?? Infinity);
      return Math.max(0, Math.floor((most - counts.metricCalls) / repetitions));
    },
    /**
     * Does a step's work in the time that is left; without a limit if it is only repeated. Rejects
     * with `budget-exhausted` where a cap cuts it short.
     */
    within: async <TResult>(
      caller: AbortSignal | undefined,
      isRepeated: boolean,
      work: (signal: AbortSignal) => Promise<TResult>,
    ): Promise<TResult> => {
      gate.start();
      const bound = time.bound(caller, isRepeated);
      try {
        return await work(bound.signal);
      } catch (error) {
        const isLate = bound.isOver() && caller?.aborted !== true;
        const thrown = isLate
          ? budgetStop("wallTimeMs", budget.wallTimeMs ?? 0, time.spentMs())
          : error;
        cut(thrown);
        throw thrown;
      } finally {
        // Not `using`: what it compiles to would cost more than most steps of a search without LMs.
        bound[Symbol.dispose]();
      }
    },
    /** Throws `budget-exhausted` if this many more would exceed a cap. */
    check: ({ metricCalls = 0, reflectionCalls = 0 }: Partial<Need>): void => {
      const cap = unfitCounted({ metricCalls, reflectionCalls });
      if (cap !== null) throw budgetStop(cap, budget[cap] ?? 0, counts[cap]);
    },
    /** Ends a step that stands; throws `budget-exhausted` if its calls exceed a cap. */
    settle: (usage: RoleUsage, { metricCalls = 0, reflectionCalls = 0 }: Partial<Need>): void => {
      gate.settle(totalUsage(usage), toolCallsOf(usage));
      const isAnyUsed = Object.values(usage).some((ofRole) => ofRole !== noUsage);
      if (isAnyUsed) used = { ...used, ...sumByRole([used, usage]) };
      counts.metricCalls += metricCalls;
      counts.reflectionCalls += reflectionCalls;
      spent = { ...counts, ...gate.spent };
    },
    /** The cap that cut a step short, and with it all later ones. */
    noteCutShort: (detail: string): void => {
      exhausted = detail;
    },
  };
}

/** More than any run makes. */
const unlimited = 1e9;

/**
 * By doubling and halving. Under a cap on time or money each question is recorded, so another order
 * of questions could not resume the runs recorded with this one.
 */
function largestFitting(fits: (rollouts: number) => boolean): number {
  let [fitting, beyond] = [0, 1];
  while (beyond < unlimited && fits(beyond)) [fitting, beyond] = [beyond, 2 * beyond];
  if (beyond >= unlimited) return Infinity;
  while (beyond - fitting > 1) {
    const middle = Math.floor((fitting + beyond) / 2);
    if (fits(middle)) fitting = middle;
    else beyond = middle;
  }
  return fitting;
}

function hasBoth({ lmCalls, tokens }: Budget): boolean {
  return lmCalls !== undefined && tokens !== undefined;
}

function meanOf(
  { calls, promptTokens, completionTokens }: Usage,
  count: number,
): { readonly calls: number; readonly tokens: number } {
  const of = Math.max(1, count);
  return { calls: calls / of, tokens: (promptTokens + completionTokens) / of };
}
