import type { Limit } from "../optimizers/limit.ts";
import { judged } from "../optimizers/limit.ts";
import type { SearchRow } from "./placebo-searches.ts";
import { demonstrationSearches } from "./placebo-searches.ts";

/** `feedbacks` and `demonstrations`: rows of all searches, by what each was given. */
export function placeboLimits({
  feedbacks,
  demonstrations,
}: {
  readonly feedbacks: readonly SearchRow[];
  readonly demonstrations: readonly SearchRow[];
}): readonly Limit[] {
  return [
    ...["gepa", "mipro-v2"].flatMap((search) => onFeedback(search, of(feedbacks, search))),
    ...Object.keys(demonstrationSearches).flatMap((search) => {
      const rows = of(demonstrations, search);
      return [
        gains(`${search}: demonstrations as found`, given(rows, "found")),
        bringsNothing(`${search}: demonstrations dealt`, given(rows, "dealt")),
      ];
    }),
  ];
}

function onFeedback(search: string, rows: readonly SearchRow[]): readonly Limit[] {
  const [real = [], none = [], others = []] = ["real", "blanked", "shuffled"].map((kind) =>
    given(rows, kind),
  );
  const beyond = meanGain(others) - meanGain(none);
  return [
    gains(`${search}: real feedback`, real),
    [
      `${search}: dealt feedback brings no more than blanked feedback`,
      judged(Number.isNaN(beyond) ? undefined : beyond, (one) => one <= 0),
    ],
    bringsNothing(`${search}: blanked feedback`, none),
    bringsNothing(`${search}: dealt feedback`, others),
  ];
}

function of(rows: readonly SearchRow[], search: string): readonly SearchRow[] {
  return rows.filter((row) => row.search === search);
}

function given(rows: readonly SearchRow[], kind: string): readonly SearchRow[] {
  return rows.filter(({ feedback }) => feedback === kind);
}

function gains(what: string, rows: readonly SearchRow[]): Limit {
  const least = rows.length === 0 ? undefined : Math.min(...rows.map(lowest));
  return [
    `${what}: the interval of the gain is above zero in each seed`,
    judged(least, (low) => low > 0),
  ];
}

function bringsNothing(what: string, rows: readonly SearchRow[]): Limit {
  const most = rows.length === 0 ? undefined : Math.max(...rows.map(lowest));
  return [
    `${what}: the interval of the gain is above zero in no seed`,
    judged(most, (low) => low <= 0),
  ];
}

function lowest({ difference, interval }: SearchRow): number {
  // Without an interval, all differences are the same.
  return interval?.low ?? difference;
}

function meanGain(rows: readonly SearchRow[]): number {
  return rows.reduce((sum, { difference }) => sum + difference, 0) / rows.length;
}
