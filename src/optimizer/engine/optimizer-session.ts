import { setImmediate as breathe } from "node:timers/promises";
import type { Json, LanguageModel } from "../../contract/index.ts";
import { failureOf, isAbsence, EspalierError } from "../../errors/index.ts";
import { allOrAbort, randomSource } from "../../internal/index.ts";
import type { RoleUsage, Usage } from "../budget/index.ts";
import { capOf, sumUsage, usageOf } from "../budget/index.ts";
import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import type { Asked, OptimizerRun } from "../contract/optimizer.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "../evaluation/index.ts";
import { faultRetries, summarizeRollouts, usageOfRollouts } from "../evaluation/index.ts";
import type { ProgressReport } from "./listener.ts";
import type { Predictor } from "../../program/index.ts";
import type { FieldSchemas, InputOf, OutputOf } from "../../signature/index.ts";
import type { Prospects } from "./prospects.ts";
import type { Replay } from "./replay.ts";
import type { RunBudget } from "./run-budget.ts";
import type { DescribedRun } from "./run-description.ts";

/** What a run is made of. */
interface SessionParts {
  readonly evaluator: Evaluator;
  /** Journaled; absent when nothing in the run uses a reflection LM. */
  readonly reflectionLm?: LanguageModel;
  readonly budget: RunBudget;
  readonly replay: Replay;
  readonly settings: DescribedRun;
  readonly prospects: Prospects;
  readonly progress: ProgressReport;
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
  const { seed, repetitions, randomSources } = settings;
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
  /** Of requests within the steps. */
  let number = 0;
  const step = async <TResult>(
    counts: { readonly metricCalls?: number; readonly reflectionCalls?: number },
    work: (signal: AbortSignal) => Promise<{ readonly result: TResult; readonly usage: RoleUsage }>,
  ): Promise<TResult> =>
    inStep(async (signal) => {
      budget.check(counts);
      const { result, usage } = await work(signal);
      budget.settle(usage, counts);
      return result;
    });
  const elapsedMs = (): number => budget.observed.elapsedMs;
  let writtenMs = elapsedMs();
  /**
   * Replies are written before use; everything else waits for this, or for the event loop to turn.
   */
  const write = (): void => {
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
    summarize: (split, rollouts) => summarizeRollouts(rollouts, split, evaluator.aggregate),
    evaluate: (requests) => {
      let metricCallsMade = budget.spent.metricCalls;
      if (!past.isReplaying) progress.begin(metricCallsMade);
      const onDone = (): void => {
        past.noteElapsedSometimes(elapsedMs());
        progress.tell((metricCallsMade += repetitions));
      };
      const rollouts = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
      return step({ metricCalls: rollouts * repetitions }, async (signal) => {
        const numbered = requests.map((request) => ({ request, number: ++number }));
        const result = await allOrAbort(numbered, signal, ({ request, number }, signal) =>
          recordedRollouts(parts, request, { number, signal, onDone }),
        );
        prospects.evaluated(requests, result);
        return { result, usage: usageOfRollouts(result.flat()) };
      });
    },
    ask: (predictor, calls) =>
      step({ reflectionCalls: calls.length }, async (signal) => {
        const numbered = calls.map((call) => ({ call, number: ++number }));
        const answers = await allOrAbort(numbered, signal, ({ call, number }, signal) =>
          askOnce(parts, predictor, call, { number, signal }),
        );
        const result = answers.map(({ asked }) => asked);
        prospects.answered(result);
        return { result, usage: { reflection: sumUsage(answers.map(({ usage }) => usage)) } };
      }),
    consult: <TValue extends Json>(
      count: number,
      propose: (signal: AbortSignal) => TValue | Promise<TValue>,
    ) =>
      step({ reflectionCalls: count }, async (signal) => {
        const { log } = past;
        const about = { kind: "proposed", step: ++number } as const;
        const held = log.proposed.get(about.step);
        if (held !== undefined) return { result: held as TValue, usage: {} };
        const answer = propose(signal);
        const value = await answer;
        // What came synchronously can be computed again.
        if (answer instanceof Promise) log.add({ ...about, value });
        else log.addSoon({ ...about, value });
        return { result: value, usage: {} };
      }),
    emit: (event) => {
      Object.freeze(event);
      const isWritten = !past.isReplaying && mustWrite(event);
      if (isWritten && event.kind !== "run-start") past.noteElapsed(elapsedMs());
      past.add(event);
      if (isWritten) write();
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

/** An earlier step was cut short, as the recorded run tells. */
function budgetOver(detail: string): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "A cap of the budget cut an earlier step short, which ended the run",
    got: detail,
  });
}

/** One of several that a step does side by side. */
interface NumberedRequest {
  /** Within all steps; the log identifies the request by it. */
  readonly number: number;
  readonly signal: AbortSignal;
}

/**
 * One call of the reflection LM, retried after a fault. A call without a result is logged as such,
 * except for one that a server's absence left unanswered: a resumed run asks again.
 */
async function askOnce<TInput extends FieldSchemas, TOutput extends FieldSchemas>(
  { reflectionLm, budget: { gate }, replay: { log }, settings: { seed } }: SessionParts,
  predictor: Predictor<TInput, TOutput>,
  { id, inputs }: { readonly id: string; readonly inputs: InputOf<TInput> },
  { number, signal }: NumberedRequest,
): Promise<{ readonly usage: Usage; readonly asked: Asked<OutputOf<TOutput>> }> {
  if (reflectionLm === undefined) throw noReflectionLm();
  const lm = gate.wrap(reflectionLm);
  const known = log.failedReflections.get(number);
  if (known !== undefined) {
    gate.addRecorded({ reflection: known.usage }, known.worst);
    return { usage: known.usage, asked: { ok: false, failure: known.failure } };
  }
  const call = { path: predictor.signature.name, predictor: predictor.signature.name };
  for (let attempt = 0; ; attempt++) {
    const options = { lm, seed, exampleId: id, role: "reflection" as const, signal };
    const result = await predictor.attemptCall(inputs as never, call, options);
    const usage = usageOf([result.trace]);
    if (result.ok) return { usage, asked: { ok: true, outputs: result.outputs } };
    const failure = failureOf(result.error, signal.aborted ? "aborted" : undefined);
    if (failure.kind === "infrastructure" && attempt < faultRetries) continue;
    if (failure.kind !== "infrastructure" && failure.kind !== "format") throw result.error;
    if (isAbsence(failure.code)) throw result.error;
    const worst = gate.worstOf("", id);
    log.add({ kind: "failed-reflection", step: number, failure, usage, worst });
    return { usage, asked: { ok: false, failure } };
  }
}

/** The reflection LM was asked although the plan had said that it would not be. */
function noReflectionLm(): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "A proposer or optimizer with `asksReflection: false` asked the reflection LM",
    expected: "a reflection LM, or no calls to `run.ask`",
    got: "a run without a reflection LM",
    fix: "Remove `asksReflection: false`.",
  });
}

/**
 * The requested rollouts, in order; work of this step that the log already holds is not repeated.
 */
async function recordedRollouts(
  { evaluator, budget: { gate }, replay: { log } }: SessionParts,
  request: EvaluateRequest,
  { number, signal, onDone }: NumberedRequest & { readonly onDone: () => void },
): Promise<readonly Rollout[]> {
  const { split, exampleIds } = request;
  const recorded = log.rollouts(number);
  for (const rollout of recorded.values()) {
    gate.addRecorded(usageOfRollouts([rollout]), rollout.worst);
  }
  const missing = recorded.size === 0 ? exampleIds : exampleIds.filter((id) => !recorded.has(id));
  const held = new Map(recorded);
  if (missing.length > 0) {
    await evaluator.evaluate({
      ...request,
      exampleIds: missing,
      keepsLessons: split === "train",
      scope: String(number),
      signal,
      onRollout: (rollout) => {
        // They are used together; if a kill loses some, their replies are on file.
        log.addSoon({ kind: "rollout", step: number, rollout });
        held.set(rollout.exampleId, rollout);
        onDone();
      },
    });
  }
  return exampleIds.flatMap((id) => held.get(id) ?? []);
}
