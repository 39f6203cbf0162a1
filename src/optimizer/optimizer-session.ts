import type { Json, LanguageModel } from "../contract/index.ts";
import type { Clock } from "../internal/index.ts";
import { allOrAbort, coalesced, randomSource } from "../internal/index.ts";
import type { Budget, CallGate, CashGate, Deadline, Usage, UsageByRole } from "./budget/index.ts";
import { budgetStop, noUsage, sumUsage } from "./budget/index.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "./evaluation/index.ts";
import { summarizeRollouts } from "./evaluation/index.ts";
import { askOnce } from "./ask-once.ts";
import type { Journal, WorkLog } from "./journal/index.ts";
import { isMilestone } from "./journal/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "./optimizer-event.ts";
import type { OptimizerRun, Spent, StepNeed } from "./optimizer.ts";

export interface SessionParts {
  readonly evaluator: Evaluator;
  readonly seed: number;
  /** In place of the engine's own. */
  readonly random?: OptimizerRun["random"];
  readonly budget: Budget;
  readonly journal: Journal;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly cash: CashGate;
  readonly deadline: Deadline;
  readonly hasPrices: boolean;
  /** Journalled; absent when nothing of the run asks an LM to reflect. */
  readonly reflectionLm?: LanguageModel;
  readonly faultRetries: number;
  /** Metric calls of one rollout. */
  readonly repetitions: number;
  readonly coverageFloor: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly onEvent: (event: OptimizerEvent | OptimizerProgress) => void;
}

export interface OptimizerSession extends OptimizerRun {
  /** Resolves once all that was asked to survive a loss of power does. */
  settled(): Promise<void>;
  /** What calls used in steps that stand, by role. */
  readonly used: UsageByRole;
  /** What calls used in a step that a cap cut short: which ones had ended depends on timing. */
  readonly cutShort: UsageByRole;
}

/** One run, as its optimizer sees it: numbers the steps, keeps the caps, and journals. */
export function optimizerSession(parts: SessionParts): OptimizerSession {
  const { evaluator, budget, journal, log, gate, cash, deadline, coverageFloor } = parts;
  const { repetitions } = parts;
  const startedAt = parts.clock.now();
  let step = 0;
  let metricCalls = 0;
  let reflectionCalls = 0;
  let questions = 0;
  let used: UsageByRole = { student: noUsage, reflection: noUsage };
  let cutShort: UsageByRole = { student: noUsage, reflection: noUsage };
  let best: number | null = null;
  const saving = coalesced(async () => {
    await log.sync();
    await journal.sync();
  });

  const spent = (): Spent => ({ metricCalls, reflectionCalls, ...gate.spent });
  const isReplaying = (): boolean => journal.next() !== undefined;

  const outside: OptimizerRun["outside"] = (look) => {
    const question = ++questions;
    const told = log.told(question) as ReturnType<typeof look> | undefined;
    if (told !== undefined) return told;
    const answer = look({
      elapsedMs: deadline.spentMs(),
      costUsd: parts.hasPrices ? cash.spentUsd : null,
    });
    log.addTold(question, answer);
    return answer;
  };

  const fits = (rollouts: StepNeed): boolean => {
    const need = { ...rollouts, metricCalls: rollouts.metricCalls * repetitions };
    const { metricCalls: cap = Infinity, reflectionCalls: reflectionCap = Infinity } = budget;
    return (
      metricCalls + need.metricCalls <= cap &&
      reflectionCalls + need.reflections <= reflectionCap &&
      fitsByEstimate(need) &&
      fitsOutside(need)
    );
  };

  /** What time and money allow cannot be asked again by a resumed run. */
  const fitsOutside = ({ metricCalls: rollouts }: StepNeed): boolean => {
    const { costUsd: cap, wallTimeMs } = budget;
    if (cap === undefined && wallTimeMs === undefined) return true;
    return outside(({ costUsd }) => {
      const spentUsd = costUsd ?? 0;
      const expectedUsd = (spentUsd / Math.max(1, metricCalls)) * rollouts;
      return spentUsd + expectedUsd <= (cap ?? Infinity) && deadline.leftMs() > 0;
    });
  };

  const fitsByEstimate = ({ metricCalls: rollouts, reflections }: StepNeed): boolean => {
    const per = (usage: Usage, count: number): { calls: number; tokens: number } => ({
      calls: usage.calls / Math.max(1, count),
      tokens: (usage.promptTokens + usage.completionTokens) / Math.max(1, count),
    });
    const rollout = per(used.student, metricCalls);
    const reflection = per(used.reflection, used.reflection.calls);
    const expected = {
      calls: rollouts * rollout.calls + reflections,
      tokens: rollouts * rollout.tokens + reflections * reflection.tokens,
    };
    const { lmCalls = Infinity, tokens = Infinity } = budget;
    return (
      gate.spent.lmCalls + expected.calls <= lmCalls &&
      gate.spent.tokens + expected.tokens <= tokens
    );
  };

  /** Bounds a step in time, and refuses it where the recorded run ended. */
  const inStep = async <TResult>(
    role: "student" | "reflection",
    work: (signal: AbortSignal) => Promise<TResult>,
  ): Promise<TResult> => {
    // What answers at once never looks at the signal.
    parts.signal?.throwIfAborted();
    if (journal.next()?.kind === "run-end") throw budgetStop("wallTimeMs", 0, 0);
    gate.start();
    using bound = deadline.bound(parts.signal, isReplaying());
    try {
      return await work(bound.signal);
    } catch (error) {
      cutShort = { ...cutShort, [role]: sumUsage([cutShort[role], gate.step]) };
      throw bound.isOver() && parts.signal?.aborted !== true
        ? budgetStop("wallTimeMs", budget.wallTimeMs ?? 0, deadline.spentMs())
        : error;
    }
  };

  const settle = (role: "student" | "reflection", usage: Usage): void => {
    gate.settle(usage);
    used = { ...used, [role]: sumUsage([used[role], usage]) };
  };

  const progress = (done: number): void => {
    const total = metricCalls + done;
    const cap = budget.metricCalls ?? null;
    const rate = total / Math.max(1, parts.clock.now() - startedAt);
    const etaMs = cap === null || total === 0 ? null : (cap - total) / rate;
    parts.onEvent({ kind: "progress", metricCalls: total, cap, etaMs, best });
  };

  /** The rollouts asked for, in that order; what the log holds is not done again. */
  const rolloutsOf = async (
    { candidate, split, exampleIds }: EvaluateRequest,
    { number, signal, onDone }: { number: number; signal: AbortSignal; onDone: () => void },
  ): Promise<readonly Rollout[]> => {
    const held = new Map(log.rollouts(number));
    for (const { usage, worst } of held.values()) gate.addRecorded(usage, worst);
    const missing = exampleIds.filter((id) => !held.has(id));
    if (missing.length > 0) {
      await evaluator.evaluate({
        candidate,
        split,
        exampleIds: missing,
        keepsLessons: split === "train",
        scope: String(number),
        signal,
        onRollout: (rollout) => {
          log.addRollout(number, rollout);
          held.set(rollout.exampleId, rollout);
          onDone();
        },
      });
    }
    return exampleIds.flatMap((id) => held.get(id) ?? []);
  };

  return {
    seed: parts.seed,
    repetitions,
    random: parts.random ?? ((stream, index) => randomSource(parts.seed, stream, index)),
    fits,
    outside,
    get spent() {
      return spent();
    },
    get used() {
      return used;
    },
    get cutShort() {
      return cutShort;
    },
    summarize: (split, rollouts) =>
      summarizeRollouts(rollouts, split, { ...evaluator, coverageFloor }),
    evaluate: async (requests) =>
      inStep("student", async (signal) => {
        const rollouts = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
        const needed = rollouts * repetitions;
        const cap = budget.metricCalls;
        if (cap !== undefined && metricCalls + needed > cap) {
          throw budgetStop("metricCalls", cap, metricCalls);
        }
        let done = 0;
        const onDone = (): void => progress((done += repetitions));
        const numbered = requests.map((request) => ({ request, number: ++step }));
        const judged = await allOrAbort(numbered, signal, ({ request, number }, signal) =>
          rolloutsOf(request, { number, signal, onDone }),
        );
        settle("student", sumUsage(judged.flat().map(({ usage }) => usage)));
        metricCalls += needed;
        return judged;
      }),
    ask: async (predictor, calls) =>
      inStep("reflection", async (signal) => {
        const cap = budget.reflectionCalls;
        if (cap !== undefined && reflectionCalls + calls.length > cap) {
          throw budgetStop("reflectionCalls", cap, reflectionCalls);
        }
        const { seed, reflectionLm, faultRetries } = parts;
        if (reflectionLm === undefined) throw new Error("The run has no reflection LM.");
        const lm = gate.wrap(reflectionLm, "reflection");
        const numbered = calls.map((call) => ({ ...call, number: ++step }));
        const answers = await allOrAbort(numbered, signal, ({ id, inputs, number }, signal) =>
          askOnce(predictor, { id, inputs, number, seed, lm, log, gate, faultRetries, signal }),
        );
        settle("reflection", sumUsage(answers.map(({ usage }) => usage)));
        reflectionCalls += calls.length;
        return answers.map(({ asked }) => asked);
      }),
    consult: async <TValue extends Json>(
      count: number,
      propose: (signal: AbortSignal) => Promise<TValue>,
    ) =>
      inStep("reflection", async (signal) => {
        const cap = budget.reflectionCalls;
        if (cap !== undefined && reflectionCalls + count > cap) {
          throw budgetStop("reflectionCalls", cap, reflectionCalls);
        }
        const number = ++step;
        const held = log.proposed(number) as TValue | undefined;
        const value = held ?? (await propose(signal));
        if (held === undefined) log.addProposed(number, value);
        settle("reflection", noUsage);
        reflectionCalls += count;
        return value;
      }),
    emit: (event) => {
      // What was done first: the journal must never know more than the log.
      if (isMilestone(event)) log.flush();
      journal.add(event);
      if (event.kind === "candidate-accepted") best = Math.max(best ?? event.value, event.value);
      parts.onEvent(event);
    },
    checkpoint: () => {
      if (isReplaying()) return;
      log.addElapsed(deadline.spentMs());
      saving.request();
    },
    settled: () => saving.settled(),
  };
}
