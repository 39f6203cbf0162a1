import { isDeepStrictEqual } from "node:util";
import type {
  Comparison,
  EvaluateOptions,
  Evaluation,
  EvaluationEvent,
} from "../../evaluate/index.ts";
import {
  byObjective,
  compare,
  evaluateTogether,
  scoresByExample,
  uncapped,
} from "../../evaluate/index.ts";
import type { Example } from "../../contract/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { OptimizerTask } from "../../optimizer/index.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { Drift } from "../../statistics/index.ts";

/** One figure for both programs, and their comparison; `null` if they are one program, run once. */
export interface EvaluatedFigure {
  readonly metric: string;
  readonly seed: Evaluation;
  readonly optimized: Evaluation;
  readonly comparison: Comparison | null;
}

/** The figures of an optimized program on the held-out test split. */
export interface TestReport extends EvaluatedFigure {
  /** The metric's further objectives, as far as both programs report them. */
  readonly objectives: readonly EvaluatedFigure[];
  /** The seed on repeated rows at the end, minus the same rows before; `null` without such rows. */
  readonly drift: Comparison | null;
}

const maxRepeated = 8;
/** With fewer clusters, no permutation test reaches 0.05. */
const minRepeated = 6;

/**
 * The rows that show a drift: those that run first, for the longest time between, and of different
 * clusters; none where so few could show nothing.
 */
export function repeatedRows<TExample extends Pick<Example, "id" | "cluster">>(
  examples: readonly TExample[],
): readonly TExample[] {
  const clusters = Map.groupBy(examples, ({ id, cluster = id }) => cluster);
  const firsts = [...clusters.values()].flatMap(([first]) => first ?? []).slice(0, maxRepeated);
  return firsts.length < minRepeated ? [] : firsts;
}

type Asked = Pick<Parameters<typeof evaluateTogether>[0], "programs" | "examples"> & {
  readonly repetitions?: number;
  readonly firstRepetition?: number;
};

export interface TestReportOptions extends Pick<
  EvaluateOptions<unknown, unknown, unknown>,
  "lm" | "lms" | "judgeLm" | "wrapTool" | "allowsSideEffects" | "concurrency" | "runner" | "signal"
> {
  /** @default the search's, in a report on it; otherwise 0 */
  readonly seed?: number;
  /** Runs per example; their mean counts. @default 1 */
  readonly repetitions?: number;
  /**
   * Whether the seed program runs again on a few rows at the end, since what answers need not
   * answer the same again. @default true
   */
  readonly measuresDrift?: boolean;
  /** Receives the progress of one evaluation, named by `label`. @default none */
  readonly progress?: (label: string) => Disposable & {
    readonly onEvent: (event: EvaluationEvent) => void;
  };
}

/**
 * Evaluates both programs on the test split, row by row, then the seed on a few rows again; only
 * once if the two are the same.
 */
export async function testReport<TInput, TOutput, TLabels>(
  task: OptimizerTask<TInput, TOutput, TLabels>,
  optimized: TunableProgram<TInput, TOutput>,
  { progress, measuresDrift = true, repetitions = 1, ...options }: TestReportOptions,
): Promise<TestReport> {
  const { objective: metric, trainset, program } = task;
  const examples = trainset.splits.test;
  const measure = async (label: string, asked: Asked) => {
    using shown = progress?.(`${label} on test`);
    // Awaited, so that progress is shown until the end.
    return await evaluateTogether({
      metric,
      repetitions,
      ...options,
      ...asked,
      ...(options.runner && { spending: uncapped }),
      stopsOnAbsence: true,
      ...(shown && { onEvent: shown.onEvent }),
    });
  };
  const isUnchanged = isDeepStrictEqual(program.components(), optimized.components());
  const [before, after = before] = isUnchanged
    ? await measure("the program", { programs: [program], examples })
    : await measure("before and after", { programs: [program, optimized], examples });
  const scores = scoresByExample(before);
  const repeated = isUnchanged || !measuresDrift ? [] : repeatedRows(examples);
  const scored = repeated.filter(({ id }) => typeof scores.get(id) === "number");
  // Another repetition: what was recorded for the first ones is no answer to it.
  const once = { repetitions: 1, firstRepetition: repetitions };
  const [again] =
    scored.length === 0
      ? []
      : await measure("again", { programs: [program], examples: scored, ...once });
  const aggregate = metric.aggregate === undefined ? {} : { aggregate: { metric, examples } };
  const compared = (seed: Evaluation, other: Evaluation, options?: typeof aggregate) =>
    isUnchanged ? null : compare(seed, other, options);
  return {
    metric: metric.name,
    seed: before,
    optimized: after,
    comparison: compared(before, after, aggregate),
    drift: again?.isAcceptable === true ? compare(before, again, aggregate) : null,
    objectives: Object.keys(before.objectives)
      .filter((name) => name in after.objectives && name !== metric.name)
      .map((name) => {
        const [seed, optimized] = [byObjective(before, name), byObjective(after, name)];
        return { metric: name, seed, optimized, comparison: compared(seed, optimized) };
      }),
  };
}

/** Whether enough examples were scored to support any claim. */
export function isClaimable({ seed, optimized }: EvaluatedFigure): boolean {
  return seed.isAcceptable && optimized.isAcceptable;
}

/** What a report found, as the run's folder keeps it. */
export function reportedFigures(report: TestReport): readonly ReportedFigure[] {
  const measured = ({ value, interval }: Evaluation) => ({ value, interval });
  const drift = driftOf(report);
  return [report, ...report.objectives].map((figure) => {
    const { metric, seed, optimized, comparison } = figure;
    return {
      metric,
      seed: measured(seed),
      optimized: measured(optimized),
      comparison: comparison && withoutDropped(comparison),
      isClaimable: isClaimable(figure),
      ...(figure === report && drift && { drift }),
    };
  });
}

function withoutDropped({ dropped: _dropped, ...rest }: Comparison): Omit<Comparison, "dropped"> {
  return rest;
}

/** What repeated rows show, where it is beyond noise. */
function driftOf({ drift }: Pick<TestReport, "drift">): Drift | undefined {
  if (drift === null || drift.verdict === "undecided") return undefined;
  return { examples: drift.examples, difference: drift.difference };
}

/** A report as JSON data. */
export function reportData(report: TestReport): object {
  const objectives = report.objectives.map(figureData);
  return { ...figureData(report), objectives, drift: driftOf(report) ?? null };
}

function figureData(figure: EvaluatedFigure): object {
  const { metric, seed, optimized, comparison } = figure;
  const judged = isClaimable(figure) ? comparison?.verdict : "undecided";
  const verdict = comparison === null ? "unchanged" : judged;
  const { low = null, high = null } = comparison?.interval ?? {};
  const clusters = new Set(optimized.rows.map(({ cluster }) => cluster));
  return {
    metric,
    seed: seed.value,
    optimized: optimized.value,
    difference: comparison && { mean: comparison.difference, low, high },
    intervals: { seed: seed.interval, optimized: optimized.interval },
    verdict,
    /** With enough examples scored. */
    improved: verdict === "better",
    repeats: optimized.repetitions,
    pValue: comparison && comparison.pValue,
    examples: comparison?.examples ?? optimized.counts.scored,
    clusters: comparison?.clusters ?? clusters.size,
  };
}
