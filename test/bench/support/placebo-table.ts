import type { Interval, Verdict } from "espalier/evaluate";

/** One search, and what the test split says of its result. */
export interface PlaceboRow {
  /** What the search was told. */
  readonly feedback: string;
  readonly seed: number;
  /** Number of proposals. */
  readonly accepted: number;
  readonly before: number;
  readonly after: number;
  /** After minus before, paired by example; the interval resamples conversations. */
  readonly difference: number;
  readonly interval: Interval | null;
  readonly verdict: Verdict;
}

/** A line for each search, then for each kind of feedback how often its gain is above zero. */
export function placeboTable(rows: readonly PlaceboRow[]): readonly string[] {
  const kinds = [...Map.groupBy(rows, ({ feedback }) => feedback)];
  return [
    "feedback  seed  accepted  before  after   gain on test, 95 %",
    ...kinds.flatMap(([, ofKind]) => ofKind.map(line)),
    "",
    ...kinds.map(([feedback, ofKind]) => {
      const mean = ofKind.reduce((sum, row) => sum + row.difference, 0) / ofKind.length;
      const above = ofKind.filter(({ interval }) => (interval?.low ?? 0) > 0).length;
      return `${feedback.padEnd(10)}mean gain ${signed(mean)}, interval above zero in ${above} of ${ofKind.length}`;
    }),
  ];
}

function line({ feedback, seed, accepted, before, after, difference, interval }: PlaceboRow) {
  const bounds = interval === null ? "" : `  [${signed(interval.low)}, ${signed(interval.high)}]`;
  return [
    feedback.padEnd(10),
    String(seed).padEnd(6),
    String(accepted).padEnd(10),
    `${before.toFixed(4)}  ${after.toFixed(4)}  `,
    signed(difference),
    bounds,
  ].join("");
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(4)}`;
}
