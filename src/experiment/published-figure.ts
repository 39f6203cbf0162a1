import { EspalierError } from "../errors/index.ts";

/** A figure published elsewhere, such as in a paper's table, to compare with ours. */
export interface PublishedFigure {
  readonly value: number;
  /** The figure of ours that it stands beside. @default the study's objective */
  readonly metric?: string;
  /**
   * The trainset, by name, beside whose rows alone it stands; there it goes before one without.
   * @default any
   */
  readonly trainset?: string;
  /** The group of a breakdown that it is of. @default all examples */
  readonly group?: { readonly breakdown: string; readonly name: string };
  /** Where it is printed, for example "table 2, recall@10". */
  readonly of: string;
  /**
   * What differs from how it was obtained: model, index, data. Mocks need not be named; the
   * table does that.
   */
  readonly differs: string;
}

/** What a row is: the objective of its study, and the name of its trainset. */
interface RowData {
  readonly objective: string;
  readonly trainset: string;
}

/**
 * Those that may stand beside a row: at most one for each figure and group.
 *
 * @throws EspalierError `experiment-invalid` for two figures of which neither goes before the other
 */
export function publishedOn(
  figures: readonly PublishedFigure[],
  { objective, trainset }: RowData,
): readonly (PublishedFigure & { readonly metric: string })[] {
  const named = figures
    .filter((figure) => figure.trainset === undefined || figure.trainset === trainset)
    .map((figure) => ({ ...figure, metric: figure.metric ?? objective }));
  const places = Map.groupBy(named, ({ metric, group }) => JSON.stringify([metric, group ?? null]));
  return [...places.values()].flatMap((same) => {
    const [ofTrainset, ofAny] = [true, false].map((isOwn) =>
      same.filter((figure) => (figure.trainset !== undefined) === isOwn),
    ) as [typeof same, typeof same];
    const twice = [ofTrainset, ofAny].find(({ length }) => length > 1);
    if (twice === undefined) return ofTrainset[0] ?? ofAny[0] ?? [];
    throw new EspalierError({
      code: "experiment-invalid",
      problem: "Two published values are given for the same figure",
      expected: `at most one for ${twice.map(placeOfPublished)[0]}`,
      got: twice.map(({ value, of }) => `${value} (${of})`).join(" and "),
    });
  });
}

/** What two figures of one row must not share. */
export function placeOfPublished({ metric, trainset, group }: PublishedFigure): string {
  const which = metric === undefined ? "the objective" : `"${metric}"`;
  const where = group === undefined ? "" : ` in group "${group.name}" of "${group.breakdown}"`;
  return `${which}${where}${trainset === undefined ? "" : ` on "${trainset}"`}`;
}
