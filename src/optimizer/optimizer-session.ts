import type { Example, LanguageModel, SplitName } from "../contract/index.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import type { Budget, CallGate, CashGate, Usage } from "./budget/index.ts";
import { budgetStop, noUsage, sumUsage, usageOf } from "./budget/index.ts";
import type { EvaluateRequest, StepEvaluation } from "./evaluation/index.ts";
import { evaluateStep, summarizeRollouts } from "./evaluation/index.ts";
import type { Journal, WorkLog } from "./journal/index.ts";
import type { OptimizerEvent, OptimizerProgress } from "./optimizer-event.ts";
import type { OptimizerRun, OptimizerTask, Spent, StepNeed } from "./optimizer.ts";
import type { Deadline } from "./budget/index.ts";

export interface SessionParts<TInput, TOutput, TLabels> {
  readonly task: OptimizerTask<TInput, TOutput, TLabels>;
  readonly seed: number;
  readonly budget: Budget;
  readonly journal: Journal;
  readonly log: WorkLog;
  readonly gate: CallGate;
  readonly cash: CashGate;
  readonly deadline: Deadline;
  /** Journalled and gated. */
  readonly lm: LanguageModel;
  readonly lms: Readonly<Record<string, LanguageModel>>;
  readonly reflectionLm: LanguageModel;
  readonly concurrency: number;
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
export function optimizerSession<TInput, TOutput, TLabels>(
  parts: SessionParts<TInput, TOutput, TLabels>,
): OptimizerSession {
  const { task, budget, journal, log, gate, cash, deadline } = parts;
  const examples = examplesBySplit(task);
  const startedAt = parts.clock.now();
  let step = 0;
  let metricCalls = 0;
  let used = { student: noUsage, reflection: noUsage };
  let abandoned = { student: noUsage, reflection: noUsage };
  let best: number | null = null;

  const spent = (): Spent => ({ metricCalls, ...gate.spent });
  const isReplaying = (): boolean => journal.next() !== undefined;

  const fits = (need: StepNeed): boolean => {
    // A resumed run ends where it ended: what time and money allowed then cannot be asked again.
    const next = journal.next();
    if (next !== undefined) return next.kind !== "run-end";
    const { metricCalls: cap = Infinity } = budget;
    return metricCalls + need.metricCalls <= cap && fitsByEstimate(need) && deadline.leftMs() > 0;
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

  /** Numbers a step, bounds it in time, and refuses it where the recorded run ended. */
  const inStep = async <TResult>(
    role: "student" | "reflection",
    work: (step: number, signal: AbortSignal) => Promise<TResult>,
  ): Promise<TResult> => {
    if (journal.next()?.kind === "run-end") throw budgetStop("wallTimeMs", 0, 0);
    gate.start();
    step++;
    using bound = deadline.bound(parts.signal, isReplaying());
    try {
      return await work(step, bound.signal);
    } catch (error) {
      abandoned = { ...abandoned, [role]: sumUsage([abandoned[role], gate.step]) };
      throw bound.isOver() && parts.signal?.aborted !== true
        ? budgetStop("wallTimeMs", budget.wallTimeMs ?? 0, deadline.spentMs())
        : error;
    }
  };

  const progress = (done: number): void => {
    const total = metricCalls + done;
    const cap = budget.metricCalls ?? null;
    const rate = total / Math.max(1, parts.clock.now() - startedAt);
    const etaMs = cap === null || total === 0 ? null : (cap - total) / rate;
    parts.onEvent({ kind: "progress", metricCalls: total, cap, etaMs, best });
  };

  return {
    seed: parts.seed,
    fits,
    get spent() {
      return spent();
    },
    get used() {
      const inRole = (role: keyof typeof used): Usage => sumUsage([used[role], abandoned[role]]);
      return { student: inRole("student"), reflection: inRole("reflection") };
    },
    evaluate: async ({ candidate, split, exampleIds }: EvaluateRequest): Promise<StepEvaluation> =>
      inStep("student", async (number, signal) => {
        const cap = budget.metricCalls;
        if (cap !== undefined && metricCalls + exampleIds.length > cap) {
          throw budgetStop("metricCalls", cap, metricCalls);
        }
        const { objective: metric, program } = task;
        const ofSplit = examples[split];
        const rollouts = await evaluateStep({
          ...parts,
          program: program.with(candidate),
          metric,
          examples: exampleIds.map((id) => exampleOf(ofSplit, id, split)),
          keepsLessons: split === "train",
          step: number,
          signal,
          onProgress: progress,
        });
        const usage = sumUsage(rollouts.map((rollout) => rollout.usage));
        gate.settle(usage);
        metricCalls += rollouts.length;
        used = { ...used, student: sumUsage([used.student, usage]) };
        const { coverageFloor } = parts;
        return summarizeRollouts(rollouts, { examples: ofSplit, metric, coverageFloor });
      }),
    ask: async (predictor, inputs, id) =>
      inStep("reflection", async (number, signal) => {
        const settle = (usage: Usage): void => {
          gate.settle(usage);
          used = { ...used, reflection: sumUsage([used.reflection, usage]) };
        };
        const known = log.fruitless(number);
        if (known !== undefined) {
          settle(known.usage);
          return { ok: false, failure: known.failure };
        }
        const call = { path: predictor.signature.name, predictor: predictor.signature.name };
        const { seed, reflectionLm: lm, faultRetries } = parts;
        for (let attempt = 0; ; attempt++) {
          const options = { lm, seed, exampleId: id, role: "reflection" as const, signal };
          const result = await predictor.attemptCall(inputs as never, call, options);
          const usage = usageOf([result.trace]);
          if (result.ok) {
            settle(usage);
            return { ok: true, outputs: result.outputs };
          }
          const failure = failureOf(result.error, signal.aborted ? "aborted" : undefined);
          if (failure.kind === "infrastructure" && attempt < faultRetries) continue;
          if (failure.kind !== "infrastructure" && failure.kind !== "format") throw result.error;
          log.addFruitless(number, { failure, usage });
          settle(usage);
          return { ok: false, failure };
        }
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

type ExamplesBySplit<TInput, TLabels> = Readonly<
  Record<SplitName, ReadonlyMap<string, Example<TInput, TLabels>>>
>;

function examplesBySplit<TInput, TOutput, TLabels>({
  trainset: { splits },
}: OptimizerTask<TInput, TOutput, TLabels>): ExamplesBySplit<TInput, TLabels> {
  const byId = (split: SplitName): ReadonlyMap<string, Example<TInput, TLabels>> =>
    new Map(splits[split].map((example) => [example.id, example]));
  return { train: byId("train"), val: byId("val"), test: new Map() };
}

function exampleOf<TExample>(
  examples: ReadonlyMap<string, TExample>,
  id: string,
  split: SplitName,
): TExample {
  const found = examples.get(id);
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: `An optimizer asked for an example that split \`${split}\` does not lend it`,
    expected: "an id of `train` or `val`; `test` is never lent",
    got: `\`${id}\``,
  });
}
