import { setImmediate as breathe } from "node:timers/promises";
import type { Json, LanguageModel } from "../../contract/index.ts";
import type { Clock } from "../../internal/index.ts";
import { allOrAbort, coalesced, randomSource } from "../../internal/index.ts";
import { askOnce } from "./ask-once.ts";
import type { Budget, CallGate, CashGate, Deadline, UsageByRole } from "../budget/index.ts";
import { budgetStop, capOf, sumUsage } from "../budget/index.ts";
import type { EvaluateRequest, Evaluator } from "../evaluation/index.ts";
import { summarizeRollouts, usageOfRollouts } from "../evaluation/index.ts";
import type { Journal, WorkLog } from "../run-folder/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import { progressReport } from "./progress-report.ts";
import { replay } from "./replay.ts";
import { runBudget } from "./run-budget.ts";
import type { RecordedEvaluator } from "./recorded-rollouts.ts";
import { answeredRollouts, recordedRollouts } from "./recorded-rollouts.ts";
import { budgetOver, noReflectionLm } from "./session-errors.ts";

export interface SessionParts {
  readonly evaluator: Evaluator;
  /** Has recorded replies alone; absent where the run does not see its evaluator's calls. */
  readonly recordedEvaluator?: RecordedEvaluator;
  readonly seed: number;
  /** Replaces the engine's own. */
  readonly random?: OptimizerRun["random"];
  readonly budget: Budget;
  /** The plan's estimate of the metric calls that other caps allow, where these are tighter. */
  readonly afforded: number | undefined;
  readonly journal: Journal;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly cash: CashGate;
  readonly deadline: Deadline;
  readonly hasPrices: boolean;
  readonly hasStopFile: () => boolean;
  /** Journaled; absent when nothing in the run uses a reflection LM. */
  readonly reflectionLm?: LanguageModel;
  /** Journaled; absent when the reflection LM judges in its place. */
  readonly judgeLm?: LanguageModel;
  readonly faultRetries: number;
  /** Metric calls per rollout. */
  readonly repetitions: number;
  readonly coverageFloor: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** Absent when there is no listener. */
  readonly onEvent?: (event: OptimizerEvent | OptimizerProgress) => void;
}

export interface OptimizerSession extends OptimizerRun {
  /** Resolves once everything that was requested to survive a power loss is on disk. */
  settled(): Promise<void>;
  /** Usage of the steps that stand, by role. */
  readonly used: UsageByRole;
  /** Usage of a step that a cap cut short; which of its calls had ended depends on timing. */
  readonly cutShort: UsageByRole;
  /** Names the cap that blocked a step last, if any. */
  readonly budgetEnd: string | undefined;
}

/**
 * If a run never waits, a kill loses at most this much work; signals, timers and syncs get their
 * turn at the same interval.
 */
const longestWaitMs = 20;

/** One run, as its optimizer sees it: numbers the steps, enforces the caps and journals. */
export function optimizerSession(parts: SessionParts): OptimizerSession {
  const { evaluator, budget, journal, log, gate, cash, deadline, coverageFloor } = parts;
  const { repetitions, recordedEvaluator, hasPrices, hasStopFile } = parts;
  const past = replay(journal, log, {
    deadline,
    hasStopFile,
    now: () => ({ elapsedMs: deadline.spentMs(), costUsd: hasPrices ? cash.spentUsd : null }),
  });
  const { observe, stopAsked } = past;
  const spending = runBudget({ budget, repetitions, gate, deadline, observe });
  let isTurnDue = false;
  /** Bounds a step in time, and rejects it where the recorded run rejected it or cut it short. */
  const inStep = async <TResult>(
    work: (signal: AbortSignal) => Promise<TResult>,
  ): Promise<TResult> => {
    if (isTurnDue) {
      isTurnDue = false;
      await breathe();
    }
    const { signal: caller } = parts;
    // Work that finishes synchronously never checks the signal.
    caller?.throwIfAborted();
    const { step, cutShort } = past.beginStep();
    if (cutShort !== null) {
      spending.noteCutShort(cutShort.detail);
      throw budgetOver(cutShort);
    }
    gate.start();
    const bound = deadline.bound(caller, past.isReplaying);
    try {
      const result = await work(bound.signal);
      past.noteStanding(step);
      return result;
    } catch (error) {
      const isLate = bound.isOver() && caller?.aborted !== true;
      const thrown = isLate
        ? budgetStop("wallTimeMs", budget.wallTimeMs ?? 0, deadline.spentMs())
        : error;
      spending.cut(thrown);
      const cap = capOf(thrown);
      // The amount that a rejected count left is exact, so a repeated step is rejected again.
      const isCutShort = cap !== undefined && cap !== "metricCalls" && cap !== "reflectionCalls";
      if (isCutShort && !past.isReplaying) past.noteCutShort(step, spending.exhausted ?? "");
      throw thrown;
    } finally {
      // Not `using`: what it compiles to would cost more than most steps of a search without LMs.
      bound[Symbol.dispose]();
    }
  };
  /** Number of the request within the steps; the log identifies a request by it. */
  let number = 0;
  // In parallel, so a disk that commits both together causes only one wait.
  const saving = coalesced(async () => {
    await Promise.all([log.sync(), journal.sync()]);
  });
  let writtenAt = parts.clock.now();
  /**
   * Replies are written before use; everything else waits for this, or for the event loop to turn.
   */
  const write = (): void => {
    past.noteElapsed();
    journal.flush();
    writtenAt = parts.clock.now();
    isTurnDue = true;
  };
  const mustWrite = ({ kind }: OptimizerEvent): boolean =>
    kind === "run-start" ||
    kind === "run-end" ||
    (kind === "iteration-end" && parts.clock.now() - writtenAt >= longestWaitMs);

  const progress = progressReport({
    cap: budget.metricCalls ?? null,
    clock: parts.clock,
    costs: () => ({ tokens: spending.spent.tokens, costUsd: hasPrices ? cash.spentUsd : null }),
    onEvent: parts.onEvent,
  });

  return {
    seed: parts.seed,
    repetitions,
    random: parts.random ?? ((stream, index) => randomSource(parts.seed, stream, index)),
    fits: (need) => spending.fits(need),
    rolloutsLeft: (reflectionCalls) => spending.rolloutsLeft(reflectionCalls),
    rolloutsExpected: () => spending.rolloutsExpected(parts.afforded),
    observe,
    stopAsked,
    get spent() {
      return spending.spent;
    },
    get used() {
      return spending.used;
    },
    get cutShort() {
      return spending.cutShort;
    },
    get budgetEnd() {
      return spending.exhausted;
    },
    summarize: (split, rollouts) =>
      summarizeRollouts(rollouts, split, { ...evaluator, coverageFloor }),
    evaluate: (requests) =>
      inStep(async (signal) => {
        const rollouts = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
        const metricCalls = rollouts * repetitions;
        spending.check("metricCalls", metricCalls);
        let soFar = spending.spent.metricCalls;
        if (!past.isReplaying) progress.begin(soFar);
        const onDone = (): void => {
          past.noteElapsedSometimes();
          progress.tell((soFar += repetitions));
        };
        const numbered = requests.map((request) => ({ request, number: ++number }));
        const judged = await allOrAbort(numbered, signal, ({ request, number }, signal) =>
          recordedRollouts(request, { evaluator, log, gate, number, signal, onDone }),
        );
        spending.settle(usageOfRollouts(judged.flat()), { metricCalls });
        return judged;
      }),
    ...(recordedEvaluator && {
      evaluateRecorded: (requests: readonly EvaluateRequest[]) =>
        inStep(async (signal) =>
          answeredRollouts(requests, { evaluator: recordedEvaluator, past, signal }),
        ),
    }),
    ask: (predictor, calls, of = "reflection") =>
      inStep(async (signal) => {
        spending.check("reflectionCalls", calls.length);
        const { seed, reflectionLm, judgeLm, faultRetries } = parts;
        const [role, asked] =
          of === "judge" && judgeLm !== undefined
            ? (["judge", judgeLm] as const)
            : (["reflection", reflectionLm] as const);
        if (asked === undefined) throw noReflectionLm();
        const by = { seed, lm: gate.wrap(asked), role, log, gate, faultRetries };
        const numbered = calls.map((call) => ({ ...call, number: ++number }));
        const answers = await allOrAbort(numbered, signal, (call, signal) =>
          askOnce(predictor, { ...call, ...by, signal }),
        );
        const usage = sumUsage(answers.map(({ usage: one }) => one));
        spending.settle({ [role]: usage }, { reflectionCalls: calls.length });
        return answers.map(({ asked }) => asked);
      }),
    consult: <TValue extends Json>(
      count: number,
      propose: (signal: AbortSignal) => TValue | Promise<TValue>,
    ) =>
      inStep(async (signal) => {
        spending.check("reflectionCalls", count);
        const step = ++number;
        const held = log.proposed(step) as TValue | undefined;
        const answer = held ?? propose(signal);
        const isAwaited = answer instanceof Promise;
        const value = isAwaited ? await answer : answer;
        if (held === undefined) log.addProposed(step, value, isAwaited);
        spending.settle({}, { reflectionCalls: count });
        return value;
      }),
    emit: (event) => {
      Object.freeze(event);
      const isNew = !past.isReplaying;
      if (isNew && event.kind === "run-end") log.addLastStanding(past.lastStanding);
      journal.add(event);
      if (isNew && mustWrite(event)) write();
      progress.take(event);
      parts.onEvent?.(event);
    },
    checkpoint: () => {
      if (past.isReplaying) return;
      past.noteElapsed();
      saving.request();
    },
    settled: () => saving.settled(),
  };
}
