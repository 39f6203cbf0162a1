import type { Candidate, Example, Score, SplitName } from "../contract/index.ts";
import { splitNames } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { isKebabCase } from "../internal/index.ts";
import type { Budget } from "../optimizer/index.ts";
import type { Parts } from "../servers/index.ts";
import type { Study } from "../study/index.ts";
import type { PublishedFigure } from "./published-figure.ts";
import { placeOfPublished } from "./published-figure.ts";

/** What a study file default-exports: a study, or a function that makes one of the run's parts. */
export type RowStudy = Study | ((parts: Parts) => Study | Promise<Study>);

/** One row: a program to score on the experiment's split. */
export interface ExperimentRow {
  /** Unique in the experiment; in kebab-case, since it names the row's folder. */
  readonly name: string;
  readonly study: RowStudy;
  /** The study's variant on another trainset. @default the study itself */
  readonly variant?: string;
  /** Components that replace the program's own, as in a file for `--candidate`. */
  readonly candidate?: Candidate;
  /**
   * Optimizes the program with the study's optimizer first, and scores the best candidate; a budget
   * replaces the optimizer's own. @default false
   */
  readonly optimize?: boolean | { readonly budget: Budget };
  /**
   * For a program that asks no LM: the models whose recorded outputs its examples hold, none if it
   * needs no model at all. No server is asked for the row, and the table says whose outputs they
   * are. @default the LMs of the run answer
   */
  readonly recorded?: readonly string[];
  /**
   * Figures of this row from elsewhere: at most one for each of ours, trainset and group.
   * @default none
   */
  readonly published?: readonly PublishedFigure[];
  /** The row to compare with, paired by example. @default the first row */
  readonly against?: string;
}

/** A scored row, for a breakdown to put into a group. */
export interface BrokenDownRow {
  readonly example: Example;
  /** Absent when the run failed. */
  readonly output?: unknown;
  readonly score: Score;
}

/** How to group a row's examples; each group gets its own figures. */
export interface Breakdown {
  readonly name: string;
  /**
   * A label of the examples, or a function that names the group. A list puts the row into each of
   * several groups; `null` or an empty list leaves it out.
   */
  readonly by: string | ((row: BrokenDownRow) => string | readonly string[] | null);
}

/** A figure that the metric does not report, such as the share of answers that declined. */
export interface ExperimentFigure {
  readonly name: string;
  /** Of one scored example; `null` where it does not apply. */
  readonly of: (row: BrokenDownRow) => number | null;
  /** Combines the values of all examples to which the figure applies. @default their mean */
  readonly aggregate?: (values: readonly number[]) => number;
}

/** A table of rows that run under one budget. */
export interface Experiment {
  /** Kebab-case; names the run's folder. */
  readonly name: string;
  readonly title: string;
  /** The publication whose table it is, or what else it is for. */
  readonly source: string;
  /** What a reader of the table must know of the data, in sentences. @default nothing */
  readonly note?: string;
  /** @default "test", held out from every optimization */
  readonly split?: SplitName;
  /** Further figures, shown after those of the metric. @default none */
  readonly figures?: readonly ExperimentFigure[];
  /** @default none */
  readonly breakdowns?: readonly Breakdown[];
  readonly rows: readonly ExperimentRow[];
}

const brand = Symbol.for("espalier.experiment");

/**
 * Declares a table of rows; `espalier experiment` takes a file that default-exports one.
 *
 * @throws EspalierError `experiment-invalid`
 */
export function experiment(parts: Experiment): Experiment {
  const { name, split = "test", rows, breakdowns = [], figures = [] } = parts;
  const names = rows.map((row) => row.name);
  if (!isKebabCase(name)) throw invalid("a name in kebab-case", `"${name}"`);
  if (rows.length === 0) throw invalid("at least one row", "none");
  for (const [index, row] of rows.entries()) {
    if (!isKebabCase(row.name)) throw invalid("rows with names in kebab-case", `"${row.name}"`);
    if (names.indexOf(row.name) < index) {
      throw invalid("a unique name for each row", `two rows "${row.name}"`);
    }
    if (row.against === row.name || (row.against !== undefined && !names.includes(row.against))) {
      throw invalid(
        `\`against\` with the name of another row: ${names.join(", ")}`,
        `"${row.against}" in row "${row.name}"`,
      );
    }
    checkPublished(row, breakdowns);
  }
  if (!splitNames.includes(split))
    throw invalid(`\`split\` ${splitNames.join(", ")}`, `"${split}"`);
  const breakdown = repeatedIn(breakdowns.map((each) => each.name));
  if (breakdown !== undefined) {
    throw invalid("a unique name for each breakdown", `two breakdowns "${breakdown.value}"`);
  }
  const figure = repeatedIn(figures.map((each) => each.name));
  if (figure !== undefined) {
    throw invalid("a unique name for each figure", `two figures "${figure.value}"`);
  }
  return Object.freeze(Object.defineProperty({ ...parts }, brand, { value: true }));
}

function checkPublished(
  { name, published = [] }: ExperimentRow,
  breakdowns: readonly Breakdown[],
): void {
  const twice = repeatedIn(published.map(placeOfPublished));
  if (twice !== undefined) {
    throw invalid(
      "at most one published figure for each metric of a row",
      `two for ${twice.value} in row "${name}"`,
    );
  }
  const known = breakdowns.map((each) => each.name);
  const unknown = published.find(({ group }) => group && !known.includes(group.breakdown));
  if (unknown?.group === undefined) return;
  throw invalid(
    `published figures of groups of a breakdown: ${known.join(", ")}`,
    `"${unknown.group.breakdown}" in row "${name}"`,
  );
}

/** Whether `experiment()` made this value, in this or another installed copy of the package. */
export function isExperiment(value: unknown): value is Experiment {
  return typeof value === "object" && value !== null && brand in value;
}

/** The row that a row is compared with; `undefined` for one that stands alone. */
export function pairedWith({ rows }: Experiment, row: ExperimentRow): string | undefined {
  const against = row.against ?? rows[0]?.name;
  return against === row.name ? undefined : against;
}

/** The first value that occurs twice. */
function repeatedIn<T>(values: readonly T[]): { readonly value: T } | undefined {
  const index = values.findIndex((value, at) => values.indexOf(value) < at);
  return index < 0 ? undefined : { value: values[index] as T };
}

function invalid(expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "experiment-invalid",
    problem: "The experiment is invalid",
    expected,
    got,
  });
}
