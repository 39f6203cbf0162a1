import { columns } from "./terminal.ts";
import type { Interval } from "../../evaluate/index.ts";
import type { LedgerCounts } from "../../ledger/index.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { Verdict, Judged } from "../../statistics/index.ts";
import { driftWords, verdictWords } from "../../statistics/index.ts";

/** The figures of a report on test, the objective's first. */
type Figures = readonly ReportedFigure[];

/** Whether test shows that the objective is better, and nothing else worse. */
export function isGain(figures: Figures): boolean {
  return verdictOf(figures[0]) === "better" && worseThan(figures).length === 0;
}

/** What a report on test found: the verdict, and a line for each figure before and after. */
export function figuresText(figures: Figures): readonly string[] {
  if (figures[0]?.comparison === null) {
    return [
      "verdict: nothing changed: the program is as it was",
      ...columns(figures.map(({ metric, optimized }) => [metric, shown(optimized.value)])),
    ];
  }
  const lines = columns([
    ["", "before", "after", "difference"],
    ...figures.map(({ metric, seed, optimized, comparison }) => [
      metric,
      shown(seed.value),
      shown(optimized.value),
      comparison === null ? "" : differenceText(comparison),
    ]),
  ]);
  return [
    `verdict: ${verdictOfAll(figures)}`,
    ...lines.map((line, index) => {
      const figure = figures[index - 1];
      return figure === undefined ? line : `${line}  ${outcome(figure, "before")}`;
    }),
    ...figures.flatMap(({ drift }) => (drift ? [`drift: ${driftWords(drift)}`] : [])),
  ];
}

function verdictOfAll(figures: Figures): string {
  const [objective] = figures;
  if (!objective?.comparison) return "none";
  const worse = worseThan(figures.slice(1)).map(({ metric }) => metric);
  const kind = isGain(figures) ? "a gain" : kinds[verdictOf(objective)];
  const { reason, help } = verdictWords(objective.comparison, "");
  const why = verdictOf(objective) === "undecided" && objective.isClaimable ? [reason, help] : [];
  return [
    `${kind}: ${objective.metric} is ${outcome(objective, "the program it started from")}`,
    ...(worse.length === 0 ? [] : [`worse: ${worse.join(", ")}`]),
    ...why.filter((words) => words !== null),
  ].join("; ");
}

function outcome({ comparison, isClaimable }: ReportedFigure, baseline: string): string {
  return isClaimable && comparison !== null
    ? verdictWords(comparison, baseline).verdict
    : "not judged: too many examples remained unscored";
}

function worseThan(figures: Figures): Figures {
  return figures.filter((figure) => verdictOf(figure) === "worse");
}

function verdictOf(figure: ReportedFigure | undefined): Verdict {
  return (figure?.isClaimable ? figure.comparison?.verdict : undefined) ?? "undecided";
}

/** Of what is no plain gain. */
const kinds: Readonly<Record<Verdict, string>> = {
  better: "a gain and a loss",
  worse: "a loss",
  undecided: "no gain is shown",
};

function shown(value: number | null): string {
  return value === null ? "-" : value.toFixed(4);
}

/** A difference with what its verdict goes by. */
export function differenceText(judged: Judged): string {
  const { difference, interval, pValue, clusters } = judged;
  const shown = verdictWords(judged, "").isIntervalTooNarrow
    ? `(no interval: ${clusters} independent groups of examples are too few)`
    : intervalText(interval);
  return `${signedText(difference)}  ${shown}, p = ${pValue.toFixed(4)}`;
}

/** The verdict, what decided it, and what would help: a line for each. */
export function verdictText(judged: Judged, baseline: string): readonly string[] {
  const { verdict, reason, help } = verdictWords(judged, baseline);
  return [
    `${verdict}: difference ${differenceText(judged)}`,
    ...[reason, help].filter((line) => line !== null),
  ];
}

/** The bounds of an interval, or the reason why there is none. */
export function intervalText(interval: Interval | null): string {
  return interval === null
    ? "(no interval: fewer than two clusters)"
    : `${boundsText(interval)} 95 %`;
}

export function boundsText({ low, high }: Interval): string {
  return `[${low.toFixed(4)}, ${high.toFixed(4)}]`;
}

/** A difference with its sign, `+` for none. */
export function signedText(difference: number, digits = 4): string {
  return `${difference < 0 ? "-" : "+"}${Math.abs(difference).toFixed(digits)}`;
}

/** How many requests were resent after faults, beyond the first of each call; empty for none. */
export function retriesText({ retries = 0 }: Pick<LedgerCounts, "retries">): string {
  return retries === 0 ? "" : `, ${retries} ${retries === 1 ? "retry" : "retries"}`;
}

/** Counts the replies whose server did not say how many tokens they took; empty for none. */
export function uncountedText({
  uncountedCalls = 0,
}: {
  readonly uncountedCalls?: number;
}): string {
  return uncountedCalls === 0 ? "" : ` (${uncountedCalls} calls without a count)`;
}
