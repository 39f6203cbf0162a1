import type { Interval, Verdict } from "espalier/evaluate";
import type { RejectionReason } from "espalier/optimizer";
import { isRejectedUntried } from "../../../src/optimizer/candidate/candidate-record.ts";

/** One search, and its result on the test split. */
export interface PlaceboRow {
  /** The kind of feedback that the search received. */
  readonly feedback: string;
  readonly seed: number;
  /** Number of proposals. */
  readonly accepted: number;
  /** Proposals that were not accepted, by reason. */
  readonly refused: Readonly<Partial<Record<RejectionReason, number>>>;
  readonly before: number;
  readonly after: number;
  /** After minus before, paired by example; the interval resamples conversations. */
  readonly difference: number;
  readonly interval: Interval | null;
  readonly verdict: Verdict;
}

/**
 * One line for each search, with the proposals that were tried on examples and those that were
 * rejected, then for each kind of feedback how often its gain is above zero.
 */
export function placeboTable(rows: readonly PlaceboRow[]): readonly string[] {
  const kinds = [...Map.groupBy(rows, ({ feedback }) => feedback)];
  return [
    "feedback  seed  tried  accepted  before  after   gain on test, 95 %           proposals rejected",
    ...kinds.flatMap(([, ofKind]) => ofKind.map(line)),
    "",
    ...kinds.map(([feedback, ofKind]) => {
      const mean = ofKind.reduce((sum, row) => sum + row.difference, 0) / ofKind.length;
      const above = ofKind.filter(({ interval }) => (interval?.low ?? 0) > 0).length;
      return `${feedback.padEnd(10)}mean gain ${signed(mean)}, interval above zero in ${above} of ${ofKind.length}`;
    }),
  ];
}

function line(row: PlaceboRow) {
  const { feedback, seed, accepted, refused, before, after, difference, interval } = row;
  const bounds = interval === null ? "" : `  [${signed(interval.low)}, ${signed(interval.high)}]`;
  const reasons = Object.entries(refused) as readonly (readonly [RejectionReason, number])[];
  const tried = reasons
    .filter(([reason]) => !isRejectedUntried(reason))
    .reduce((sum, [, count]) => sum + count, accepted);
  return [
    feedback.padEnd(10),
    String(seed).padEnd(6),
    String(tried).padEnd(7),
    String(accepted).padEnd(10),
    `${before.toFixed(4)}  ${after.toFixed(4)}  `,
    signed(difference),
    bounds,
    reasons.length === 0
      ? "  none"
      : `  ${reasons.map(([reason, count]) => `${count} ${reason}`).join(", ")}`,
  ].join("");
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(4)}`;
}
