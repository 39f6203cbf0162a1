import { EspalierError } from "../../errors/index.ts";
import type { CandidateRecord } from "../candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerOutcome, OptimizerRun, OptimizerTask } from "../optimizer.ts";
import type { StopReason } from "../optimizer-event.ts";
import type { GepaSettings } from "./gepa-settings.ts";
import { textComponents } from "./gepa-settings.ts";
import type { GepaState } from "./gepa-state.ts";
import { bestOf, startState, withAccepted } from "./gepa-state.ts";
import type { Iteration } from "./iteration.ts";
import { iterate } from "./iterate.ts";
import { evaluateAndTell } from "./evaluate-and-tell.ts";

/** The loop: one iteration after the other until the budget, or nothing to learn, ends it. */
export async function runGepa<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  run: OptimizerRun,
  settings: GepaSettings,
): Promise<OptimizerOutcome> {
  const { program, trainset } = task;
  const train = trainset.splits.train.map(({ id }) => id);
  const val = trainset.splits.val.map(({ id }) => id);
  const size = Math.min(settings.minibatchSize, train.length);
  const iteration: Iteration = {
    run,
    settings: { ...settings, minibatchSize: size },
    program,
    train,
    val,
  };

  const seed = await evaluateSeed(iteration);
  let state = withAccepted(startState, seed, new Set());
  run.emit({
    kind: "candidate-accepted",
    iteration: 0,
    candidate: 0,
    parents: [],
    value: seed.selection.value,
  });
  await run.checkpoint();

  const mostIdle = settings.maxIdleIterations ?? Math.max(30, 2 * Math.ceil(train.length / size));
  const need = { metricCalls: 2 * size + val.length, reflections: 1 };
  for (let number = 1; ; number++) {
    const reason = stopReason(state, settings, mostIdle) ?? (run.fits(need) ? undefined : "budget");
    if (reason !== undefined) return outcome(reason, state, seed);
    try {
      state = await iterate(state, number, iteration);
    } catch (error) {
      // What a cap cut short does not count; everything before it does.
      if (EspalierError.isInstance(error) && error.kind === "budget") {
        return outcome("budget", state, seed);
      }
      throw error;
    }
  }
}

function outcome(reason: StopReason, state: GepaState, seed: CandidateRecord): OptimizerOutcome {
  const { candidates, refusals } = state;
  return { reason, candidates, refusals, best: bestOf(candidates) ?? seed };
}

function stopReason(
  state: GepaState,
  { perfectScore, maxReflectionFailures }: GepaSettings,
  mostIdle: number,
): StopReason | undefined {
  const isPerfect = ({ selection }: CandidateRecord): boolean =>
    Object.values(selection.scores).every(
      (score) => score === null || score >= (perfectScore ?? Infinity),
    );
  if (state.candidates.some(isPerfect)) return "perfect";
  if (state.reflectionFailures >= maxReflectionFailures) return "reflection-failing";
  return state.idle >= mostIdle ? "nothing-new" : undefined;
}

async function evaluateSeed({ run, program, settings, val }: Iteration): Promise<CandidateRecord> {
  const components = textComponents(program, settings.components);
  const evaluation = await evaluateAndTell(run, {
    iteration: 0,
    candidate: 0,
    components,
    split: "val",
    exampleIds: val,
  });
  return Object.freeze({
    id: 0,
    components,
    parents: [],
    iteration: 0,
    selection: { ...figures(evaluation), value: valueOf(evaluation) },
    metricCallsBefore: 0,
  });
}

function figures({
  scores,
  coverage,
}: StepEvaluation): Pick<StepEvaluation, "scores" | "coverage"> {
  return { scores, coverage };
}

function valueOf({ isAcceptable, value, coverage, rollouts }: StepEvaluation): number {
  if (isAcceptable && value !== null) return value;
  const failure = rollouts.find(({ score }) => score.kind === "unscored")?.score;
  throw new EspalierError({
    code: "coverage-too-low",
    problem: "The seed could not be evaluated",
    expected: "scores on nearly all examples of split `val`",
    got: `${(100 * coverage).toFixed(1)} % scored${failure?.kind === "unscored" ? `; the first fault: ${failure.failure.message}` : ""}`,
    fix: "Check the server, and that the metric applies to these examples; then begin anew.",
  });
}
