import type { LmIdentity, SplitName } from "../contract/index.ts";
import { distinctStandIns } from "../stand-in/index.ts";
import type { StandIn } from "../stand-in/index.ts";
import type { BreakdownTable } from "./breakdown-table.ts";
import { breakdownTable } from "./breakdown-table.ts";
import type { Experiment, PublishedFigure } from "./experiment.ts";
import { pairedWith } from "./experiment.ts";
import type { PairedDifference } from "./paired-difference.ts";
import { pairedDifference } from "./paired-difference.ts";
import type { Figure } from "./row-figures.ts";
import { rowFigures } from "./row-figures.ts";
import type { RowCosts, RowOutcome } from "./row-outcome.ts";
import { withFigures } from "./with-figures.ts";

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
  readonly lms: Readonly<Record<string, LmIdentity>>;
  readonly standIns: readonly StandIn[];
  readonly optimized?: string;
  readonly costs: RowCosts;
}

/** Everything that an experiment found. Plain JSON. */
export interface ExperimentTable {
  readonly format: "espalier-experiment/1";
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly split: SplitName;
  readonly seed: number;
  readonly rows: readonly TableRow[];
  readonly breakdowns: readonly BreakdownTable[];
  /** Over all rows. */
  readonly costs: RowCosts;
  /** Over all rows. */
  readonly standIns: readonly StandIn[];
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
  const { name, title, source, split = "test", breakdowns = [], figures: own = [] } = experiment;
  const metrics = experiment.metrics && [...experiment.metrics, ...own.map((each) => each.name)];
  const outcomes = all.map((outcome) => withFigures(outcome, own));
  const figured = outcomes.map((outcome) => rowFigures(outcome, { metrics, resamples }));
  const rows = outcomes.map((outcome, place): TableRow => {
    const declared = experiment.rows[place];
    const { study, examples, lms, standIns, optimized, costs, result } = outcome;
    const against = declared === undefined ? undefined : pairedWith(experiment, declared);
    const other = outcomes.findIndex((each) => each.name === against);
    const figures = figured[place] ?? [];
    const known = declared?.published ?? [];
    const nameOf = ({ metric = study.objective.name }: PublishedFigure): string => metric;
    return {
      name: outcome.name,
      study: study.name,
      trainset: { name: study.trainset.name, checksum: study.trainset.checksum },
      program: { name: study.program.name, version: study.program.version },
      examples: examples.length,
      clusters: new Set(examples.map(({ id, cluster = id }) => cluster)).size,
      ...("notRun" in result ? { notRun: result.notRun } : { isAcceptable: result.isAcceptable }),
      ...(against !== undefined && { against }),
      figures: figures.map(({ evaluation, ...figure }): TableFigure => {
        const published = known.find((each) => nameOf(each) === figure.metric);
        const baseline = figured[other]?.find((each) => each.metric === figure.metric);
        return {
          ...figure,
          ...(baseline !== undefined && {
            difference: pairedDifference(baseline.evaluation, evaluation, {
              objective: study.objective,
              examples,
              resamples,
            }),
          }),
          ...(published !== undefined && { published }),
        };
      }),
      unmatched: known.filter((each) => !figures.some(({ metric }) => metric === nameOf(each))),
      lms,
      standIns,
      ...(optimized !== undefined && { optimized }),
      costs,
    };
  });
  return {
    format: "espalier-experiment/1",
    name,
    title,
    source,
    split,
    seed,
    rows,
    breakdowns: breakdowns.map((each) => breakdownTable(each, outcomes, { metrics, resamples })),
    costs: sumOfCosts(outcomes.map(({ costs }) => costs)),
    standIns: distinctStandIns(outcomes.flatMap(({ standIns }) => standIns)),
  };
}

/** Sums; no dollars if those of one are unknown. */
export function sumOfCosts(costs: readonly RowCosts[]): RowCosts {
  const sum = (of: (each: RowCosts) => number): number =>
    costs.reduce((total, each) => total + of(each), 0);
  return {
    metricCalls: sum((each) => each.metricCalls),
    lmCalls: sum((each) => each.lmCalls),
    promptTokens: sum((each) => each.promptTokens),
    completionTokens: sum((each) => each.completionTokens),
    billedCalls: sum((each) => each.billedCalls),
    usd: costs.some(({ usd }) => usd === null) ? null : sum(({ usd }) => usd ?? 0),
    seconds: sum((each) => each.seconds),
  };
}
