import type { Json, LanguageModel } from "../contract/index.ts";
import { failureOf } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import { randomSource } from "../internal/index.ts";
import type { Budget, CallGate, CashGate, Deadline, Usage } from "./budget/index.ts";
import { budgetStop, noUsage, sumUsage, usageOf } from "./budget/index.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "./evaluation/index.ts";
import { summarizeRollouts } from "./evaluation/index.ts";
import type { Journal, WorkLog } from "./journal/index.ts";
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
  /** Journalled; absent when nothing of the run asks an LM to reflect. */
  readonly reflectionLm?: LanguageModel;
  readonly faultRetries: number;
  readonly coverageFloor: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly onEvent: (event: OptimizerEvent | OptimizerProgress) => void;
}

export interface OptimizerSession extends OptimizerRun {
  /** What calls used, by role: in steps that stand, and in one that a cap cut short. */
  readonly used: { readonly student: Usage; readonly reflection: Usage };
}

/** One run, as its optimizer sees it: numbers the steps, keeps the caps, and journals. */
export function optimizerSession(parts: SessionParts): OptimizerSession {
  const { evaluator, budget, journal, log, gate, cash, deadline, coverageFloor } = parts;
  const startedAt = parts.clock.now();
  let step = 0;
  let metricCalls = 0;
  let reflectionCalls = 0;
  let used = { student: noUsage, reflection: noUsage };
  let abandoned = { student: noUsage, reflection: noUsage };
  let best: number | null = null;

  const spent = (): Spent => ({ metricCalls, reflectionCalls, ...gate.spent });
  const isReplaying = (): boolean => journal.next() !== undefined;

  const fits = (need: StepNeed): boolean => {
    // A resumed run ends where it ended: what time and money allowed then cannot be asked again.
    const next = journal.next();
    if (next !== undefined) return next.kind !== "run-end";
    const { metricCalls: cap = Infinity, reflectionCalls: reflectionCap = Infinity } = budget;
    return (
      metricCalls + need.metricCalls <= cap &&
      reflectionCalls + need.reflections <= reflectionCap &&
      fitsByEstimate(need) &&
      deadline.leftMs() > 0
    );
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
      usd: (cash.spentUsd / Math.max(1, metricCalls)) * rollouts,
    };
    const { lmCalls = Infinity, tokens = Infinity, costUsd = Infinity } = budget;
    return (
      gate.spent.lmCalls + expected.calls <= lmCalls &&
      gate.spent.tokens + expected.tokens <= tokens &&
      cash.spentUsd + expected.usd <= costUsd
    );
  };

  /** Bounds a step in time, and refuses it where the recorded run ended. */
  const inStep = async <TResult>(
    role: "student" | "reflection",
    work: (signal: AbortSignal) => Promise<TResult>,
  ): Promise<TResult> => {
    if (journal.next()?.kind === "run-end") throw budgetStop("wallTimeMs", 0, 0);
    gate.start();
    using bound = deadline.bound(parts.signal, isReplaying());
    try {
      return await work(bound.signal);
    } catch (error) {
      abandoned = { ...abandoned, [role]: sumUsage([abandoned[role], gate.step]) };
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
    random: parts.random ?? ((stream, index) => randomSource(parts.seed, stream, index)),
    fits,
    get spent() {
      return spent();
    },
    get used() {
      const inRole = (role: keyof typeof used): Usage => sumUsage([used[role], abandoned[role]]);
      return { student: inRole("student"), reflection: inRole("reflection") };
    },
    summarize: (split, rollouts) =>
      summarizeRollouts(rollouts, split, { ...evaluator, coverageFloor }),
    evaluate: async (requests) =>
      inStep("student", async (signal) => {
        const needed = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
        const cap = budget.metricCalls;
        if (cap !== undefined && metricCalls + needed > cap) {
          throw budgetStop("metricCalls", cap, metricCalls);
        }
        let done = 0;
        const onDone = (): void => progress(++done);
        const judged = await Promise.all(
          requests.map((request) => rolloutsOf(request, { number: ++step, signal, onDone })),
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
        const answers = await Promise.all(
          calls.map(async ({ id, inputs }) => {
            const number = ++step;
            const known = log.fruitless(number);
            if (known !== undefined) {
              return { usage: known.usage, asked: { ok: false, failure: known.failure } as const };
            }
            const call = { path: predictor.signature.name, predictor: predictor.signature.name };
            for (let attempt = 0; ; attempt++) {
              const options = { lm, seed, exampleId: id, role: "reflection" as const, signal };
              const result = await predictor.attemptCall(inputs as never, call, options);
              const usage = usageOf([result.trace]);
              if (result.ok)
                return { usage, asked: { ok: true, outputs: result.outputs } as const };
              const failure = failureOf(result.error, signal.aborted ? "aborted" : undefined);
              if (failure.kind === "infrastructure" && attempt < faultRetries) continue;
              if (failure.kind !== "infrastructure" && failure.kind !== "format") {
                throw result.error;
              }
              log.addFruitless(number, { failure, usage });
              return { usage, asked: { ok: false, failure } as const };
            }
          }),
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
      journal.add(event);
      if (event.kind === "candidate-accepted") best = Math.max(best ?? event.value, event.value);
      parts.onEvent(event);
    },
    checkpoint: async () => {
      if (isReplaying()) return;
      log.addElapsed(deadline.spentMs());
      // What was done first: the journal must never know more than the log.
      await log.sync();
      await journal.sync();
    },
  };
}
