import type { ReportedFigure } from "../../optimizer/files.ts";
import type { Verdict } from "../../statistics/index.ts";
import { driftWords, verdictWords } from "../../statistics/index.ts";
import { columns } from "./columns.ts";
import { differenceText } from "./difference-text.ts";

/** The figures of a report on test, the objective's first. */
export type Figures = readonly ReportedFigure[];

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
    `verdict: ${verdictText(figures)}`,
    ...lines.map((line, place) => {
      const figure = figures[place - 1];
      return figure === undefined ? line : `${line}  ${outcome(figure, "before")}`;
    }),
    ...figures.flatMap(({ drift }) => (drift ? [`drift: ${driftWords(drift)}`] : [])),
  ];
}

function verdictText(figures: Figures): string {
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
