import type { Comparison, Evaluation, Runner } from "../../evaluate/index.ts";
import { byObjective, compare, evaluate, uncapped } from "../../evaluate/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { Study } from "../../study/index.ts";
import { progressLine } from "../terminal/progress-line.ts";

/** One figure for both programs, and their comparison. */
export interface EvaluatedFigure {
  readonly metric: string;
  readonly seed: Evaluation;
  readonly optimized: Evaluation;
  readonly comparison: Comparison;
}

/** The figures of an optimized program on the held-out test split. */
export interface TestReport extends EvaluatedFigure {
  /** The metric's further objectives, as far as both programs report them. */
  readonly objectives: readonly EvaluatedFigure[];
}

/** Whether enough examples were scored to support any claim. */
export function isClaimable({ seed, optimized }: EvaluatedFigure): boolean {
  return seed.isAcceptable && optimized.isAcceptable;
}

/** Evaluates both programs on the test split, the seed first. */
export async function testReport(
  study: Study,
  optimized: TunableProgram,
  options: {
    readonly lm: LanguageModel;
    readonly lms: Readonly<Record<string, LanguageModel>>;
    readonly wrapTool?: (tool: LanguageModel) => LanguageModel;
    readonly allowsWorldChanges?: boolean;
    readonly concurrency: number;
    readonly seed: number;
    /** Runs of each example; their mean counts. */
    readonly repetitions: number;
    /** @default this process */
    readonly runner?: Runner;
    readonly signal: AbortSignal;
  },
): Promise<TestReport> {
  const { objective: metric, trainset, program } = study;
  const examples = trainset.splits.test;
  const measure = async (measured: TunableProgram, label: string): Promise<Evaluation> => {
    using progress = progressLine(`${label} on test`);
    const { onEvent } = progress;
    // Awaited, so that the line is there until the end.
    return await evaluate({
      program: measured,
      examples,
      metric,
      ...options,
      ...(options.runner && { spending: uncapped }),
      stopsOnAbsence: true,
      onEvent,
    });
  };
  const before = await measure(program, "before");
  const after = await measure(optimized, "after");
  const aggregate = metric.aggregate === undefined ? {} : { aggregate: { metric, examples } };
  return {
    metric: metric.name,
    seed: before,
    optimized: after,
    comparison: compare(before, after, aggregate),
    objectives: Object.keys(before.objectives)
      .filter((name) => name in after.objectives && name !== metric.name)
      .map((name) => {
        const [seed, optimized] = [byObjective(before, name), byObjective(after, name)];
        return { metric: name, seed, optimized, comparison: compare(seed, optimized) };
      }),
  };
}

/** What a report found, as the run's folder keeps it. */
export function reportedFigures(report: TestReport): readonly ReportedFigure[] {
  const measured = ({ value, interval }: Evaluation) => ({ value, interval });
  return [report, ...report.objectives].map((figure) => {
    const { dropped: _dropped, ...comparison } = figure.comparison;
    const { metric, seed, optimized } = figure;
    return {
      metric,
      seed: measured(seed),
      optimized: measured(optimized),
      comparison,
      isClaimable: isClaimable(figure),
    };
  });
}

/** A report as JSON data. */
export function reportData(report: TestReport): object {
  return { ...figureData(report), objectives: report.objectives.map(figureData) };
}

function figureData(figure: EvaluatedFigure): object {
  const { metric, seed, optimized, comparison } = figure;
  const { difference, interval, pValue, examples, clusters } = comparison;
  const verdict = isClaimable(figure) ? comparison.verdict : "undecided";
  return {
    metric,
    seed: seed.value,
    optimized: optimized.value,
    difference: { mean: difference, low: interval?.low ?? null, high: interval?.high ?? null },
    intervals: { seed: seed.interval, optimized: optimized.interval },
    verdict,
    /** With enough examples scored. */
    improved: verdict === "better",
    repeats: optimized.repetitions,
    pValue,
    examples,
    clusters,
  };
}
