import { setImmediate as breathe } from "node:timers/promises";
import type { Clock } from "../../internal/index.ts";
import { coalesced, randomSource } from "../../internal/index.ts";
import type { Budget, CashGate, Deadline, UsageByRole } from "../budget/index.ts";
import { budgetStop, capOf } from "../budget/index.ts";
import type { EvaluateRequest } from "../evaluation/index.ts";
import { summarizeRollouts } from "../evaluation/index.ts";
import type { Journal } from "../run-folder/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "../contract/optimizer-event.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import { progressReport } from "./listener.ts";
import { replay } from "./replay.ts";
import { runBudget } from "./run-budget.ts";
import type { RecordedEvaluator } from "./recorded-rollouts.ts";
import { answeredRollouts } from "./recorded-rollouts.ts";
import { budgetOver, stepWorks } from "./step-work.ts";
import type { StepWork, WorkParts } from "./step-work.ts";

export interface SessionParts extends Omit<WorkParts, "onRollout"> {
  /** Has recorded replies alone; absent where the run does not see its evaluator's calls. */
  readonly recordedEvaluator?: RecordedEvaluator;
  /** Replaces the engine's own. */
  readonly random?: OptimizerRun["random"];
  readonly budget: Budget;
  /** The plan's estimate of the metric calls that other caps allow, where these are tighter. */
  readonly afforded: number | undefined;
  readonly journal: Journal;
  readonly cash: CashGate;
  readonly deadline: Deadline;
  readonly hasPrices: boolean;
  /** Why the search is to end, as far as no optimizer knows; `null`: go on. */
  readonly whyStop: () => string | null;
  readonly hasTeacher: boolean;
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
  const { repetitions, recordedEvaluator, hasPrices, whyStop, signal: caller } = parts;
  const past = replay(journal, log, {
    deadline,
    whyStop,
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
      return await work(bound.signal);
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
  let metricCallsMade = 0;
  const works = stepWorks({
    ...parts,
    onRollout: () => {
      past.noteElapsedSometimes();
      progress.tell((metricCallsMade += repetitions));
    },
  });
  const step = async <TResult>(work: StepWork<TResult>): Promise<TResult> =>
    inStep(async (signal) => {
      const { counts } = work;
      spending.check("metricCalls", counts.metricCalls);
      spending.check("reflectionCalls", counts.reflectionCalls);
      const { result, usage } = await work.run(signal);
      spending.settle(usage, counts);
      return result;
    });
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
    hasTeacher: parts.hasTeacher,
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
    evaluate: (requests) => {
      metricCallsMade = spending.spent.metricCalls;
      if (!past.isReplaying) progress.begin(metricCallsMade);
      return step(works.evaluate(requests));
    },
    ...(recordedEvaluator && {
      evaluateRecorded: (requests: readonly EvaluateRequest[]) =>
        inStep(async (signal) =>
          answeredRollouts(requests, { evaluator: recordedEvaluator, past, signal }),
        ),
    }),
    ask: (predictor, calls) => step(works.ask(predictor, calls)),
    consult: (count, propose) => step(works.consult(count, propose)),
    emit: (event) => {
      Object.freeze(event);
      const isNew = !past.isReplaying;
      journal.add(event);
      if (isNew && mustWrite(event)) write();
      progress.take(event);
      parts.onEvent?.(event);
      parts.prospects.heard(event);
    },
    checkpoint: () => {
      if (past.isReplaying) return;
      past.noteElapsed();
      saving.request();
    },
    settled: () => saving.settled(),
  };
}
