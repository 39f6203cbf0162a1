import { sum } from "../../statistics/index.ts";
import type { MetricRow } from "../../contract/index.ts";
import { harmonicMeanOf } from "../formula/harmonic-mean.ts";

/** One objective over the rows that report it. */
export interface ObjectiveMean {
  /** `null` if no row reports it. */
  readonly mean: number | null;
  readonly reported: number;
  /** Rows to which it does not apply, for example responses without statements. */
  readonly skipped: number;
}

/**
 * Mean of each objective over the rows that report it; rows to which it does not apply are excluded
 * and counted, as pandas excludes NaN from a mean.
 */
export function objectiveMeans<TName extends string>(
  rows: readonly Pick<MetricRow, "objectives">[],
  names: readonly TName[],
): Readonly<Record<TName, ObjectiveMean>> {
  const entries = names.map((name) => {
    const values = rows.flatMap(({ objectives }) => objectives?.[name] ?? []);
    const mean = values.length === 0 ? null : sum(values) / values.length;
    const counts = { reported: values.length, skipped: rows.length - values.length };
    return [name, Object.freeze({ mean, ...counts })] as const;
  });
  return Object.freeze(Object.fromEntries(entries)) as Readonly<Record<TName, ObjectiveMean>>;
}

/**
 * Harmonic mean of the means of some objectives over a data set, never of one row's values: the
 * official figure of MTRAG's generation tasks. 0 if any mean is 0. Ignores objectives that no row
 * reports, which may happen in a resample; 0 if none is reported.
 */
export function harmonicMeanOfMeans(
  rows: readonly Pick<MetricRow, "objectives">[],
  names: readonly string[],
): number {
  const means = Object.values(objectiveMeans(rows, names)).flatMap(({ mean }) => mean ?? []);
  return harmonicMeanOf(means);
}
