import { isDeepStrictEqual } from "node:util";
import type { Comparison, Evaluation, Runner } from "../../evaluate/index.ts";
import { byObjective, compare, evaluate, uncapped } from "../../evaluate/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { Study } from "../../study/index.ts";
import { progressLine } from "../terminal/progress-line.ts";

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
}

/** Whether enough examples were scored to support any claim. */
export function isClaimable({ seed, optimized }: EvaluatedFigure): boolean {
  return seed.isAcceptable && optimized.isAcceptable;
}

/** Evaluates both programs on the test split, the seed first; once if the two are the same. */
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
  const isUnchanged = isDeepStrictEqual(program.components(), optimized.components());
  const before = await measure(program, isUnchanged ? "the program" : "before");
  const after = isUnchanged ? before : await measure(optimized, "after");
  const aggregate = metric.aggregate === undefined ? {} : { aggregate: { metric, examples } };
  const compared = (seed: Evaluation, other: Evaluation, options?: typeof aggregate) =>
    isUnchanged ? null : compare(seed, other, options);
  return {
    metric: metric.name,
    seed: before,
    optimized: after,
    comparison: compared(before, after, aggregate),
    objectives: Object.keys(before.objectives)
      .filter((name) => name in after.objectives && name !== metric.name)
      .map((name) => {
        const [seed, optimized] = [byObjective(before, name), byObjective(after, name)];
        return { metric: name, seed, optimized, comparison: compared(seed, optimized) };
      }),
  };
}

/** What a report found, as the run's folder keeps it. */
export function reportedFigures(report: TestReport): readonly ReportedFigure[] {
  const measured = ({ value, interval }: Evaluation) => ({ value, interval });
  return [report, ...report.objectives].map((figure) => {
    const { metric, seed, optimized, comparison } = figure;
    return {
      metric,
      seed: measured(seed),
      optimized: measured(optimized),
      comparison: comparison && withoutDropped(comparison),
      isClaimable: isClaimable(figure),
    };
  });
}

function withoutDropped({ dropped: _dropped, ...rest }: Comparison): Omit<Comparison, "dropped"> {
  return rest;
}

/** A report as JSON data. */
export function reportData(report: TestReport): object {
  return { ...figureData(report), objectives: report.objectives.map(figureData) };
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
