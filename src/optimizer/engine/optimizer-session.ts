import { setImmediate as breathe } from "node:timers/promises";
import { randomSource } from "../../internal/index.ts";
import { capOf } from "../budget/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import { summarizeRollouts } from "../evaluation/index.ts";
import type { ProgressReport } from "./listener.ts";
import type { StepWork, WorkParts } from "./step-work.ts";
import { budgetOver, stepWorks } from "./step-work.ts";
import type { Replay } from "./replay.ts";
import type { RunBudget } from "./run-budget.ts";
import type { DescribedRun } from "./run-description.ts";

/** What a run is made of. */
export interface SessionParts extends WorkParts {
  readonly budget: RunBudget;
  readonly replay: Replay;
  readonly progress: ProgressReport;
  readonly settings: DescribedRun;
  /** Whether the teacher has an LM of its own. */
  readonly hasTeacher: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * If a run never waits, a kill loses at most this much work; signals, timers and syncs get their
 * turn at the same interval.
 */
const longestWaitMs = 20;

/** One run, as its optimizer sees it: numbers the steps, enforces the caps and journals. */
export function optimizerSession(parts: SessionParts): OptimizerRun {
  const { evaluator, budget, replay: past, prospects, progress } = parts;
  const { settings, hasTeacher, signal: caller } = parts;
  const { seed, repetitions, coverageFloor, randomSources } = settings;
  let isTurnDue = false;
  /** Rejects a step where the recorded run rejected it or cut it short. */
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
      budget.noteCutShort(cutShort);
      throw budgetOver(cutShort);
    }
    try {
      return await budget.within(caller, past.isReplaying, work);
    } catch (error) {
      const cap = capOf(error);
      // The amount that a rejected count left is exact, so a repeated step is rejected again.
      const isCutShort = cap !== undefined && cap !== "metricCalls" && cap !== "reflectionCalls";
      if (isCutShort && !past.isReplaying) past.noteCutShort(step, budget.exhausted ?? "");
      throw error;
    }
  };
  let metricCallsMade = 0;
  const works = stepWorks(parts, () => {
    past.noteElapsedSometimes(elapsedMs());
    progress.tell((metricCallsMade += repetitions));
  });
  const step = async <TResult>(work: StepWork<TResult>): Promise<TResult> =>
    inStep(async (signal) => {
      const { counts } = work;
      budget.check("metricCalls", counts.metricCalls);
      budget.check("reflectionCalls", counts.reflectionCalls);
      const { result, usage } = await work.run(signal);
      budget.settle(usage, counts);
      return result;
    });
  const elapsedMs = (): number => budget.observed.elapsedMs;
  let writtenMs = elapsedMs();
  /**
   * Replies are written before use; everything else waits for this, or for the event loop to turn.
   */
  const write = (): void => {
    past.noteElapsed(elapsedMs());
    past.flush();
    writtenMs = elapsedMs();
    isTurnDue = true;
  };
  const mustWrite = ({ kind }: OptimizerEvent): boolean =>
    kind === "run-start" ||
    kind === "run-end" ||
    (kind === "iteration-end" && elapsedMs() - writtenMs >= longestWaitMs);

  return {
    seed,
    hasTeacher,
    repetitions,
    random: randomSources?.start(seed) ?? ((stream, index) => randomSource(seed, stream, index)),
    fits: (need) => budget.fits(need),
    rolloutsLeft: (reflectionCalls) => budget.rolloutsLeft(reflectionCalls),
    rolloutsExpected: () => budget.rolloutsExpected(),
    stopAsked: () => past.stopAsked(),
    get spent() {
      return budget.spent;
    },
    summarize: (split, rollouts) =>
      summarizeRollouts(rollouts, split, { ...evaluator, coverageFloor }),
    evaluate: (requests) => {
      metricCallsMade = budget.spent.metricCalls;
      if (!past.isReplaying) progress.begin(metricCallsMade);
      return step(works.evaluate(requests));
    },
    ask: (predictor, calls) => step(works.ask(predictor, calls)),
    consult: (count, propose) => step(works.consult(count, propose)),
    emit: (event) => {
      Object.freeze(event);
      const isNew = !past.isReplaying;
      past.add(event);
      if (isNew && mustWrite(event)) write();
      progress.heard(event);
      prospects.heard(event);
    },
    checkpoint: () => {
      if (past.isReplaying) return;
      past.noteElapsed(elapsedMs());
      past.save();
    },
  };
}
