import type { Example, LmIdentity, SplitName } from "../contract/index.ts";
import { EspalierError, messageOf } from "../errors/index.ts";
import type { Evaluation, EvaluationRow } from "../evaluate/index.ts";
import { mean } from "../statistics/index.ts";
import { distinctMocks } from "../mock/index.ts";
import type { Mock } from "../mock/index.ts";
import type { BreakdownTable } from "./breakdown-table.ts";
import { breakdownTable } from "./breakdown-table.ts";
import type { Experiment, ExperimentFigure } from "./experiment.ts";
import { pairedWith } from "./experiment.ts";
import type { PairedDifference } from "./paired-difference.ts";
import { pairedDifference } from "./paired-difference.ts";
import type { PublishedFigure } from "./published-figure.ts";
import { publishedOn } from "./published-figure.ts";
import type { Figure } from "./row-figures.ts";
import { rowFigures } from "./row-figures.ts";
import type { RowCosts } from "./row-costs.ts";
import { sumOfCosts } from "./row-costs.ts";
import type { RowOutcome } from "./row-outcome.ts";

export type { BreakdownTable } from "./breakdown-table.ts";

/** One figure of a row, with its difference to the same figure of the row it is paired with. */
export interface TableFigure extends Figure {
  /** Absent for a row that stands alone, and where the other row has no such figure. */
  readonly difference?: PairedDifference;
  readonly published?: PublishedFigure;
}

export interface TableRow {
  readonly name: string;
  readonly study: string;
  readonly trainset: { readonly name: string; readonly checksum: string };
  readonly program: { readonly name: string; readonly version: string };
  /** Examples of the row, and the clusters that they form. */
  readonly examples: number;
  readonly clusters: number;
  /** Absent if the row has a result. */
  readonly notRun?: string;
  /** Whether enough examples were scored for a claim; absent without a result. */
  readonly isAcceptable?: boolean;
  readonly against?: string;
  /** The objective first; empty without a result. */
  readonly figures: readonly TableFigure[];
  /** Figures from elsewhere of which the row reports no counterpart. */
  readonly unmatched: readonly PublishedFigure[];
  /** Empty for a row of recorded outputs. */
  readonly lms: Readonly<Record<string, LmIdentity>>;
  /** Models whose recorded outputs took the place of an LM; absent where LMs were asked. */
  readonly recorded?: readonly string[];
  readonly mocks: readonly Mock[];
  readonly optimized?: string;
  readonly costs: RowCosts;
}

/** Everything that an experiment found. Plain JSON. */
export interface ExperimentTable {
  readonly format: "espalier-experiment/1";
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly note?: string;
  readonly split: SplitName;
  readonly seed: number;
  readonly rows: readonly TableRow[];
  readonly breakdowns: readonly BreakdownTable[];
  /** Over all rows. */
  readonly costs: RowCosts;
  /** Over all rows. */
  readonly mocks: readonly Mock[];
}

/**
 * Computes the table. Intervals and differences resample clusters; a difference counts only the
 * examples that both rows scored.
 *
 * @param all outcomes, one for each row of the experiment, in order
 */
export function experimentTable(
  experiment: Experiment,
  all: readonly RowOutcome[],
  { seed, resamples = 10_000 }: { readonly seed: number; readonly resamples?: number },
): ExperimentTable {
  const {
    name,
    title,
    source,
    note,
    split = "test",
    breakdowns = [],
    figures: own = [],
  } = experiment;
  const outcomes = all.map((outcome) => withFigures(outcome, own));
  const figured = outcomes.map((outcome) => rowFigures(outcome, { resamples, own }));
  const published = outcomes.map(({ study }, index) =>
    publishedOn(experiment.rows[index]?.published ?? [], {
      objective: study.objective.name,
      trainset: study.trainset.name,
    }),
  );
  const rows = outcomes.map((outcome, index): TableRow => {
    const declared = experiment.rows[index];
    const { study, examples, lms, mocks, optimized, costs, result } = outcome;
    const against = declared === undefined ? undefined : pairedWith(experiment, declared);
    const other = outcomes.findIndex((each) => each.name === against);
    const figures = figured[index] ?? [];
    const recorded = declared?.recorded;
    const known = (published[index] ?? []).filter(({ group }) => group === undefined);
    return {
      name: outcome.name,
      study: study.name,
      trainset: { name: study.trainset.name, checksum: study.trainset.checksum },
      program: { name: study.program.name, version: study.program.version },
      examples: examples.length,
      clusters: new Set(examples.map(({ id, cluster = id }) => cluster)).size,
      ...("notRun" in result ? result : { isAcceptable: result.isAcceptable }),
      ...(against !== undefined && { against }),
      figures: figures.map(({ evaluation, aggregate, ...figure }): TableFigure => {
        const theirs = known.find(({ metric }) => metric === figure.metric);
        const baseline = figured[other]?.find((each) => each.metric === figure.metric);
        return {
          ...figure,
          ...(baseline !== undefined && {
            difference: pairedDifference(baseline.evaluation, evaluation, {
              aggregate: aggregate && { metric: { ...study.objective, aggregate }, examples },
              resamples,
            }),
          }),
          ...(theirs !== undefined && { published: theirs }),
        };
      }),
      unmatched: known.filter((each) => !figures.some(({ metric }) => metric === each.metric)),
      lms: recorded === undefined ? lms : {},
      ...(recorded !== undefined && { recorded }),
      mocks,
      ...(optimized !== undefined && { optimized }),
      costs,
    };
  });
  return {
    format: "espalier-experiment/1",
    name,
    title,
    source,
    ...(note !== undefined && { note }),
    split,
    seed,
    rows,
    breakdowns: breakdowns.map((each) =>
      breakdownTable(each, outcomes, { resamples, own, published }),
    ),
    costs: sumOfCosts(outcomes.map(({ costs }) => costs)),
    mocks: distinctMocks(outcomes.flatMap(({ mocks }) => mocks)),
  };
}

/**
 * The outcome with an experiment's own figures among the further objectives of its scores.
 *
 * @throws EspalierError `experiment-invalid` for a figure that has a metric's name, throws, or is
 *   not a number
 */
export function withFigures(outcome: RowOutcome, figures: readonly ExperimentFigure[]): RowOutcome {
  const { result, examples } = outcome;
  if ("notRun" in result || figures.length === 0) return outcome;
  const where = `row ${outcome.name}`;
  checkFigureNames(figures, [result.metric.name, ...Object.keys(result.objectives)], where);
  const byId = new Map(examples.map((example) => [example.id, example]));
  const rows = result.rows.map((row) => withOwn(row, byId.get(row.exampleId), { figures, where }));
  const totals = figures.flatMap(({ name, aggregate = mean }) => {
    const values = rows.flatMap(({ score }) =>
      score.kind === "scored" ? (score.objectives?.[name] ?? []) : [],
    );
    return values.length === 0 ? [] : [[name, aggregate(values)] as const];
  });
  const evaluation: Evaluation = {
    ...result,
    rows,
    objectives: { ...result.objectives, ...Object.fromEntries(totals) },
  };
  return { ...outcome, result: evaluation };
}

/**
 * Rejects a figure that would replace one that the row's metric reports.
 *
 * @throws EspalierError `experiment-invalid`
 */
export function checkFigureNames(
  figures: readonly ExperimentFigure[],
  reported: readonly string[],
  where?: string,
): void {
  const taken = figures.find(({ name }) => reported.includes(name));
  if (taken === undefined) return;
  throw new EspalierError({
    code: "experiment-invalid",
    problem: "A figure has the same name as one of the row's metrics",
    ...(where !== undefined && { where }),
    expected: `a name other than ${reported.join(", ")}`,
    got: `"${taken.name}"`,
  });
}

function withOwn(
  row: EvaluationRow,
  example: Example | undefined,
  { figures, where }: { readonly figures: readonly ExperimentFigure[]; readonly where: string },
): EvaluationRow {
  const { score, output } = row;
  if (score.kind !== "scored" || example === undefined) return row;
  const at = `${where}, example ${example.id}`;
  const own = figures.flatMap(({ name, of }) => {
    let value: number | null;
    try {
      value = of({ example, output, score });
    } catch (error) {
      throw new EspalierError({
        code: "experiment-invalid",
        problem: `The figure "${name}" failed: ${messageOf(error)}`,
        where: at,
        cause: error,
      });
    }
    if (value === null) return [];
    if (Number.isFinite(value)) return [[name, value] as const];
    throw new EspalierError({
      code: "experiment-invalid",
      problem: `The figure "${name}" of an example is not a number`,
      where: at,
      expected: "a finite number, or null where the figure does not apply",
      got: String(value),
    });
  });
  const objectives = { ...score.objectives, ...Object.fromEntries(own) };
  return { ...row, score: { ...score, objectives } };
}
