import type {
  Attempt,
  Failure,
  LanguageModel,
  LmUsage,
  Runnable,
  RunOptions,
  Score,
  TraceNode,
} from "../contract/index.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import type { Clock } from "../internal/index.ts";
import type { LmSession } from "../program/index.ts";
import { lmSession } from "../program/index.ts";
import type { RunExampleOptions, Runner, RunOutcome, RunRecord, TimedAttempt } from "./runner.ts";

/** Runs examples in this process. */
export const inProcess: Runner = { run: runExample };

/**
 * Runs and judges one example once. Never rejects. Once the signal has fired the outcome is
 * `stopped`, whatever the run returned: a program or a metric may swallow the errors of its calls,
 * and the result is then meaningless. An abort error without a fired signal is an error of the code
 * that threw it.
 */
export async function runExample<TInput, TOutput, TLabels>({
  program,
  metric,
  example,
  options,
  judgeLm,
  attempts,
  answered,
  clock,
}: RunExampleOptions<TInput, TOutput, TLabels>): Promise<RunOutcome<TOutput>> {
  const timed =
    answered ?? (await timedAttempt(program, clonePlain(example.input), options, clock));
  const { attempt, latencyMs } = timed;
  const { signal } = options;
  if (signal.aborted) return abortedBy(signal);
  const failure = effectiveFailure(attempt);
  const record = (score: Score, held: Failure | null): RunRecord<TOutput> =>
    Object.freeze({
      score,
      ...(attempt.state === "completed" && failure === null ? { output: attempt.output } : {}),
      ...(held === null ? {} : { failure: held }),
      trace: attempt.trace,
      latencyMs,
      attempts,
    });
  const judge = judgeSession(judgeLm, options, clock);
  const judging = (): readonly LmUsage[] => judge.records.flatMap(({ usage }) => usage ?? []);
  const faulted = (fault: Failure): RunOutcome<TOutput> => ({
    state: "faulted",
    failure: fault,
    run: record({ kind: "unscored", failure: fault }, fault),
    judging: judging(),
    ...(failure === null ? { answered: timed } : {}),
  });

  const finished = (run: RunRecord<TOutput>): RunOutcome<TOutput> => ({
    state: "finished",
    run,
    judging: judging(),
  });

  if (failure?.kind === "infrastructure") return faulted(failure);
  if (failure !== null && failure.kind !== "format") {
    const error = attempt.state === "failed" ? attempt.error : failure;
    return { state: "stopped", failure: asProgramFailure(failure, error, "program-failed"), error };
  }

  const { lm } = judge;
  try {
    const score = checkScore(
      await (attempt.state === "completed"
        ? metric.doScore({ example, output: attempt.output, trace: attempt.trace, signal, lm })
        : metric.scoreFormatFailure(attempt.failure, example)),
    );
    if (signal.aborted) return abortedBy(signal);
    // As with a program's calls: a score made without a judge's reply is meaningless.
    const missing = effectiveAmong(judge.records.flatMap(({ failure: fault }) => fault ?? []));
    if (missing?.kind === "infrastructure") return faulted(missing);
    if (missing?.kind === "budget") return { state: "stopped", failure: missing, error: missing };
    if (missing !== null) return stoppedByMetric(missing, missing);
    if (score.kind === "unscored") {
      const { failure: fault } = score;
      if (fault.kind === "infrastructure") return faulted(fault);
      if (fault.kind === "budget" || fault.kind === "aborted") {
        return {
          state: "stopped",
          failure: asProgramFailure(fault, fault, "metric-failed"),
          error: fault,
        };
      }
      return finished(record(score, failure ?? fault));
    }
    return finished(record(score, failure));
  } catch (error) {
    if (signal.aborted) return abortedBy(signal);
    const thrown = failureOf(error, "metric-failed");
    if (thrown.kind === "infrastructure") return faulted(thrown);
    // A judge's unusable reply affects only this row.
    if (thrown.kind === "format") {
      return finished(record({ kind: "unscored", failure: thrown }, failure ?? thrown));
    }
    if (thrown.kind === "budget") return { state: "stopped", failure: thrown, error };
    const names = error instanceof TypeError ? namesGiven(attempt, example) : "";
    return stoppedByMetric(thrown, error, names);
  }
}

/** A misspelt field is `undefined` to a metric, so its error names only what it did with that. */
function namesGiven(attempt: object, { labels }: { readonly labels: unknown }): string {
  const namesOf = (value: unknown): string =>
    Object.keys(value ?? {})
      .map((name) => `\`${name}\``)
      .join(", ") || "nothing";
  const output = "output" in attempt ? `the output has ${namesOf(attempt.output)}, ` : "";
  return `. A missing name is undefined: ${output}the labels have ${namesOf(labels)}`;
}

function stoppedByMetric(failure: Failure, error: unknown, names = ""): RunOutcome<never> {
  const { message } = asProgramFailure(failure, error, "metric-failed");
  return {
    state: "stopped",
    failure: { kind: "program", code: "metric-failed", message: `${message}${names}` },
    error,
  };
}

async function timedAttempt<TInput, TOutput>(
  program: Runnable<TInput, TOutput>,
  input: TInput,
  options: RunOptions,
  clock: Clock,
): Promise<TimedAttempt<TOutput>> {
  const start = clock.now();
  const attempt = await program.attempt(input, options);
  return { attempt, latencyMs: clock.now() - start };
}

export function abortedBy({ reason }: AbortSignal): RunOutcome<never> {
  const failure: Failure = { kind: "aborted", code: "aborted", message: "The run was aborted." };
  return { state: "stopped", failure, error: reason };
}

/**
 * Turns an abort failure into one of the program or metric, since the evaluation itself was not
 * aborted.
 */
function asProgramFailure(
  failure: Failure,
  error: unknown,
  code: "program-failed" | "metric-failed",
): Failure {
  if (failure.kind !== "aborted") return failure;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : failure.message;
  return { kind: "program", code, message };
}

/** Returns a valid score unchanged; throws `metric-failed` otherwise. */
function checkScore(score: Score): Score {
  const isScore =
    typeof score === "object" &&
    score !== null &&
    (score.kind === "scored"
      ? [score.value, ...Object.values(score.objectives ?? {})].every(Number.isFinite)
      : score.kind === "not-applicable" || score.kind === "unscored");
  if (isScore) return score;
  throw new EspalierError({
    code: "metric-failed",
    problem: "The metric did not return a score",
    expected: "`scored(...)` with finite numbers, `notApplicable(...)` or `unscored(...)`",
    got: typeof score === "object" ? JSON.stringify(score) : String(score),
    fix: "Return one of the three on every path of the metric.",
  });
}

/**
 * The LM that a metric receives for one score. Its calls have paths such as `judge/grade-answer`,
 * so that their seeds, like the program's, depend on example and repetition but never on the
 * candidate.
 */
function judgeSession(
  lm: LanguageModel,
  { seed = 0, exampleId = "", repetition = 0, signal }: Omit<RunOptions, "lm">,
  clock: Clock,
): LmSession {
  return lmSession(lm, {
    path: "judge",
    role: "judge",
    run: { seed, exampleId, repetition, ...(signal && { signal }) },
    clock,
    namesRequests: true,
  });
}

/**
 * The failure that decides an attempt; `null` if its output counts. A program may catch the errors
 * of its calls and continue with a fallback, but an output made under a fault, an exhausted budget
 * or a rejection by the server says nothing about the program: the swallowed failure decides. A
 * swallowed abort does not, since a program may abort its own calls; attempts of an evaluation that
 * is being aborted never get here.
 */
export function effectiveFailure(attempt: Attempt<unknown>): Failure | null {
  return (
    effectiveAmong([...failuresIn(attempt.trace.children)]) ??
    (attempt.state === "failed" ? attempt.failure : null)
  );
}

/**
 * The one of the caught failures that decides the attempt nevertheless; `null` if there is none.
 */
function effectiveAmong(swallowed: readonly Failure[]): Failure | null {
  return (
    swallowed.find(({ kind }) => kind === "budget") ??
    swallowed.find(isRefusal) ??
    swallowed.find(({ kind }) => kind === "infrastructure") ??
    null
  );
}

/**
 * Wrong credentials, URL or model: every example fails the same way, and no program can repair it.
 */
function isRefusal({ kind, code }: Failure): boolean {
  return kind === "program" && code.startsWith("lm-");
}

function* failuresIn(nodes: readonly TraceNode[]): Generator<Failure> {
  for (const node of nodes) {
    if (node.failure !== undefined) yield node.failure;
    if (node.kind === "scope") yield* failuresIn(node.children);
    // A correction interrupted by a fault leaves a predictor whose own failure is a format failure.
    if (node.kind === "predictor" && node.failure !== undefined) {
      for (const { failure } of node.calls) if (failure !== undefined) yield failure;
    }
    // A reranker that continues without a reply ranks arbitrarily.
    if (node.kind === "retrieval") {
      for (const { failure } of node.calls ?? []) if (failure !== undefined) yield failure;
    }
  }
}

/**
 * Copies a JSON value, so that the receiver may change it freely. Shares values that are neither
 * arrays nor plain objects, such as class instances.
 */
function clonePlain<TValue>(value: TValue): TValue;
function clonePlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((held: unknown) => clonePlain(held));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, clonePlain(held)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
