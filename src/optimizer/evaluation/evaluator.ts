import type { MetricRow, SplitName, Candidate, Score, Trace } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { allOrAbort } from "../../internal/index.ts";
import { mean } from "../../statistics/index.ts";
import { sumUsage } from "../budget/index.ts";
import type { Costs, Selection } from "../candidate/candidate-record.ts";
import type { Rollout, RolloutScore } from "./rollout.ts";
import { usageOfRollouts } from "./rollout.ts";

export interface EvaluateRequest {
  readonly candidate: Candidate;
  readonly split: SplitName;
  /** Ids from that split, without duplicates. */
  readonly exampleIds: readonly string[];
  /** The predictor whose gold takes its place; see `Gold`. @default none */
  readonly gold?: string;
  /** The teacher runs every predictor; without an LM of its own, it is the student. */
  readonly lm?: "teacher";
  /** Temperature of every call of a predictor, in place of the predictor's own. */
  readonly temperature?: number;
}

/** Runs candidates on examples and judges the results. */
export interface Evaluator {
  /**
   * Judges one candidate on examples of one split, in any order, and delivers each rollout as soon
   * as it is judged. Rollouts that faults left unscored come last, since they may still be scored.
   */
  readonly evaluate: (request: EvaluatorRequest) => Promise<void>;
  /** The objective over some scored examples, at least one; absent: their mean. */
  readonly aggregate?: (split: SplitName, scored: readonly ScoredRollout[]) => number;
}

/** A scored example, identified by id, as a metric aggregates it. */
interface ScoredRollout extends Pick<MetricRow, "value" | "objectives"> {
  readonly exampleId: string;
}

export interface EvaluatorRequest extends EvaluateRequest {
  /** Whether to keep feedback and traces; never for examples that select. */
  readonly keepsLessons: boolean;
  /** Separates this request from others of the same step. */
  readonly scope: string;
  /** Number of the run of the same example; it also seeds the run. @default 0 */
  readonly repetition?: number;
  readonly signal: AbortSignal;
  readonly onRollout: (rollout: Rollout) => void;
}

/** One run of a candidate on an example as it happened, with all that its record leaves out. */
export interface JudgedRun {
  /** All components. */
  readonly candidate: Candidate;
  readonly split: SplitName;
  readonly exampleId: string;
  readonly score: Score;
  readonly trace: Trace;
  /** `false`: run by a teacher, with gold in place of a part, or at another temperature. */
  readonly isOwn: boolean;
}

/** A candidate's results on some examples. */
export interface StepEvaluation {
  /** In the requested order. */
  readonly rollouts: readonly Rollout[];
  /** The objective over the scored rollouts; `null` when none was scored. */
  readonly value: number | null;
  /** Whether `value` is the mean of the scores; if not, sums of scores say little about it. */
  readonly isMean: boolean;
  /** By example id; `null` if there is no score. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** scored / (scored + unscored); 1 if the metric applies to no example. */
  readonly coverage: number;
  /** Whether at least one rollout was scored and coverage is at least 0.95. */
  readonly isAcceptable: boolean;
}

/** Complete re-runs of an example after a fault, before anything is decided. */
export const faultRetries = 3;

/** The least share of judged rollouts that must be scored for a candidate to be accepted. */
const coverageFloor = 0.95;

/** Summarizes rollouts. Faults lower coverage and never count as a score. */
export function summarizeRollouts(
  rollouts: readonly Rollout[],
  split: SplitName,
  aggregate?: Evaluator["aggregate"],
): StepEvaluation {
  const scores: Record<string, number | null> = {};
  let [sum, scored, unscored] = [0, 0, 0];
  for (const { exampleId, score } of rollouts) {
    if (score.kind === "scored") {
      scores[exampleId] = score.value;
      sum += score.value;
      scored++;
    } else {
      scores[exampleId] = null;
      if (score.kind === "unscored") unscored++;
    }
  }
  const judged = scored + unscored;
  const coverage = judged === 0 ? 1 : scored / judged;
  const isMean = aggregate === undefined;
  const value = scored === 0 ? null : isMean ? sum / scored : aggregate(split, scoredOf(rollouts));
  return Object.freeze({
    rollouts,
    value,
    isMean,
    scores: Object.freeze(scores),
    coverage,
    isAcceptable: value !== null && coverage >= coverageFloor,
  });
}

function scoredOf(rollouts: readonly Rollout[]): readonly ScoredRollout[] {
  return rollouts.flatMap(({ exampleId, score }) => {
    if (score.kind !== "scored") return [];
    const { value, objectives } = score;
    return [{ exampleId, value, ...(objectives && { objectives }) }];
  });
}

/**
 * A candidate's results as its record holds them; `null` where faults left too little to judge.
 */
export function selectionOf({
  isAcceptable,
  value,
  scores,
  coverage,
  rollouts,
}: StepEvaluation): Selection | null {
  if (!isAcceptable || value === null) return null;
  return { value, scores, coverage, ...objectivesOf(rollouts) };
}

/**
 * The results of the starting point of a search; throws `coverage-too-low` where faults left too
 * little to judge.
 */
export function seedSelection(evaluation: StepEvaluation): Selection {
  const selection = selectionOf(evaluation);
  if (selection !== null) return selection;
  const { coverage, rollouts } = evaluation;
  const failure = rollouts.find(({ score }) => score.kind === "unscored")?.score;
  throw new EspalierError({
    code: "coverage-too-low",
    problem: "The seed could not be evaluated",
    expected: "scores for nearly all examples in split `val`",
    got: `${(100 * coverage).toFixed(1)} % scored${failure?.kind === "unscored" ? `; the first fault: ${failure.failure.message}` : ""}`,
    fix: "Check the server and that the metric applies to these examples, then start a new run.",
  });
}

/**
 * The mean of each objective, the objectives by example, and mean costs; each is omitted if there
 * is no data for it.
 */
function objectivesOf(
  rollouts: readonly Rollout[],
): Pick<Selection, "objectives" | "objectiveScores" | "costs"> {
  const objectiveScores: Record<string, Readonly<Record<string, number>>> = {};
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { exampleId, score } of rollouts) {
    if (score.kind !== "scored" || score.objectives === undefined) continue;
    // Copied because the metric may keep its own object.
    objectiveScores[exampleId] = { ...score.objectives };
    for (const [name, value] of Object.entries(score.objectives)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 };
      sums.set(name, { sum: sum + value, count: count + 1 });
    }
  }
  const costs = costsOf(rollouts);
  if (sums.size === 0) return { ...(costs && { costs }) };
  const objectives = Object.fromEntries(
    [...sums].map(([name, { sum, count }]) => [name, sum / count]),
  );
  return { objectives, objectiveScores, ...(costs && { costs }) };
}

function costsOf(rollouts: readonly Rollout[]): Costs | undefined {
  const sum = sumUsage(rollouts.map(({ usage }) => usage));
  if (sum.calls === 0) return undefined;
  const runs = rollouts.reduce((total, rollout) => total + (rollout.runs ?? 1), 0);
  const perExample = (total: number): number => total / runs;
  const latencies = rollouts.flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    ...(sum.uncountedCalls === undefined && {
      promptTokens: perExample(sum.promptTokens),
      completionTokens: perExample(sum.completionTokens),
    }),
    lmCalls: perExample(sum.calls),
    ...(latencies.length === 0
      ? {}
      : { latencyMs: latencies.reduce((total, ms) => total + ms, 0) / latencies.length }),
  };
}

/** Runs each example `repetitions` times and delivers one rollout whose score is the mean. */
export function repeatedEvaluator(evaluator: Evaluator, repetitions: number): Evaluator {
  if (repetitions === 1) return evaluator;
  const { aggregate } = evaluator;
  return {
    evaluate: async (request) => {
      const runs = new Map<string, Map<number, Rollout>>();
      const numbers = Array.from({ length: repetitions }, (_, repetition) => repetition);
      await allOrAbort(numbers, request.signal, (repetition, signal) =>
        evaluator.evaluate({
          ...request,
          repetition,
          scope: `${request.scope}/${repetition}`,
          signal,
          onRollout: (rollout) => {
            const ofExample = runs.get(rollout.exampleId) ?? new Map<number, Rollout>();
            runs.set(rollout.exampleId, ofExample.set(repetition, rollout));
            if (ofExample.size < repetitions) return;
            // In order of repetition, whichever ended first.
            request.onRollout(combined(numbers.flatMap((number) => ofExample.get(number) ?? [])));
          },
        }),
      );
    },
    ...(aggregate && { aggregate: (split, scored) => aggregate(split, scored) }),
  };
}

/**
 * Combines runs as `evaluate()` does. One unscored run makes the rollout unscored, since a mean
 * over fewer runs would not be comparable. Runs to which the metric does not apply are left out.
 * The lesson is that of the lowest-scoring run.
 */
function combined(runs: readonly Rollout[]): Rollout {
  const lowest = runs.reduce((low, run) => (rank(run.score) < rank(low.score) ? run : low));
  const latencies = runs.flatMap(({ latencyMs }) => latencyMs ?? []);
  const { latencyMs: _latencyMs, usageByRole: _usageByRole, invalid, ...about } = lowest;
  const decisions = runs.flatMap((run) => run.decisions ?? []);
  const score = meanScore(lowest.score, runs);
  const isMixed = runs.some(({ usageByRole }) => usageByRole !== undefined);
  return {
    ...about,
    ...lessonWithScore(lowest, score),
    score,
    ran: [...new Set(runs.flatMap(({ ran }) => ran))].toSorted(),
    usage: sumUsage(runs.map(({ usage }) => usage)),
    ...(decisions.length > 0 && { decisions }),
    ...(invalid !== undefined && runs.every((run) => run.invalid !== undefined) && { invalid }),
    ...(isMixed && { usageByRole: usageOfRollouts(runs) }),
    ...(latencies.length === 0 ? {} : { latencyMs: mean(latencies) }),
    worst: Math.max(...runs.map(({ worst }) => worst)),
    runs: runs.reduce((sum, run) => sum + (run.runs ?? 1), 0),
  };
}

/** The lesson says its own score where the combined one differs. */
function lessonWithScore(
  { lesson, score: own }: Rollout,
  mean: RolloutScore,
): Pick<Rollout, "lesson"> {
  if (lesson === undefined || own.kind !== "scored" || mean.kind !== "scored") return {};
  return own.value === mean.value ? {} : { lesson: { ...lesson, score: own.value } };
}

function rank(score: RolloutScore): number {
  if (score.kind === "unscored") return -Infinity;
  return score.kind === "scored" ? score.value : Infinity;
}

function meanScore(lowest: RolloutScore, runs: readonly Rollout[]): RolloutScore {
  if (lowest.kind !== "scored") return lowest;
  const scores = runs.map(({ score }) => score).filter((score) => score.kind === "scored");
  const names = new Set(scores.flatMap(({ objectives = {} }) => Object.keys(objectives)));
  const objectives = [...names].map((name): [string, number] => [
    name,
    mean(scores.flatMap((score) => score.objectives?.[name] ?? [])),
  ]);
  return {
    kind: "scored",
    value: mean(scores.map(({ value }) => value)),
    ...(objectives.length === 0 ? {} : { objectives: Object.fromEntries(objectives) }),
  };
}
