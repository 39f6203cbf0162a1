import { columns } from "./terminal.ts";
import type { Interval } from "../../evaluate/index.ts";
import type { LmIdentity } from "../../contract/index.ts";
import type { LedgerCounts } from "../../ledger/index.ts";
import type { MockLabel } from "../../mock/index.ts";
import type { ReportedFigure } from "../../optimizer/files.ts";
import type { Verdict, Judged } from "../../statistics/index.ts";
import {
  driftWords,
  noInterval,
  nothingChanged,
  verdictSentence,
  verdictWords,
} from "../../statistics/index.ts";

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
      `verdict: nothing changed: ${nothingChanged}`,
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
    ...verdictOfAll(figures),
    ...lines.map((line, index) => {
      const figure = figures[index - 1];
      return figure === undefined ? line : `${line}  ${outcome(figure, "before")}`;
    }),
    ...figures.flatMap(({ drift }) => (drift ? [`drift: ${driftWords(drift)}`] : [])),
  ];
}

function verdictOfAll(figures: Figures): readonly string[] {
  const [objective] = figures;
  if (!objective?.comparison) return ["verdict: none"];
  const worse = worseThan(figures.slice(1)).map(({ metric }) => metric);
  const { reason, help } = verdictWords(objective.comparison, "");
  const why = verdictOf(objective) === "undecided" && objective.isClaimable ? [reason, help] : [];
  const said = outcome(objective, "the program it started from");
  const place = { on: objective.metric, other: "the result", hasLoss: worse.length > 0 };
  const sentence = verdictSentence(verdictOf(objective), said, place);
  return [
    [`verdict: ${sentence}`, ...worse.map((name) => `worse on ${name}`)].join("; "),
    ...why.flatMap((line) => (line === null ? [] : [`  ${line}`])),
  ];
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

/** The difference, what decided, and what would help: a line for each, below a verdict. */
export function reasonLines(judged: Judged): readonly string[] {
  const { reason, help } = verdictWords(judged, "");
  const { examples, better, worse } = judged;
  return [
    `difference ${differenceText(judged)}; of ${examples} examples ${better} better, ${worse} worse`,
    ...[reason, help].filter((line) => line !== null),
  ].map((line) => `  ${line}`);
}

/** A model, its provider, and whether mocks answer, each where it adds something. */
export function modelText({ model, provider }: LmIdentity, { suffix }: MockLabel): string {
  const name = model === provider ? model : `${model} (${provider})`;
  return suffix === `, ${model}` ? name : `${name}${suffix}`;
}

/** The bounds of an interval, or the reason why there is none. */
export function intervalText(interval: Interval | null): string {
  return interval === null ? noInterval : `${boundsText(interval)} 95 %`;
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
