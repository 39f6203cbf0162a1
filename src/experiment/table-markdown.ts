import type { Interval } from "../evaluate/index.ts";
import { mockLabel } from "../mock/index.ts";
import { inClusters, noInterval, shortVerdicts } from "../statistics/index.ts";
import type { BreakdownTable, ExperimentTable, TableFigure, TableRow } from "./experiment-table.ts";
import type { PairedDifference } from "./paired-difference.ts";
import type { PublishedFigure } from "./published-figure.ts";
import type { Figure } from "./row-figures.ts";
import type { RowCosts } from "./row-costs.ts";

/** The table as Markdown: the objective of each row, then further figures, then breakdowns. */
export function tableMarkdown(table: ExperimentTable): string {
  const { title, source, note, split, seed, rows, breakdowns, costs, mocks } = table;
  const { warning } = mockLabel(mocks);
  return [
    `# ${line(title)}`,
    "",
    `${line(source)}. Split \`${split}\`, seed ${seed}. Intervals: 95 %, over resampled clusters (groups of related examples). Differences: paired by example.`,
    ...(note === undefined ? [] : ["", line(note)]),
    "",
    ...grid(mainHead, [...rows.map(mainLine), totalLine(costs)]),
    ...further(rows),
    ...breakdowns.flatMap(breakdownLines),
    ...rows.flatMap(noteOf),
    ...(warning === "" ? [] : ["", `**${line(warning)}**`]),
    "",
  ].join("\n");
}

const mainHead = [
  "row",
  "figure",
  "value",
  "difference",
  "n",
  "published",
  "what differs",
  "LM",
  "calls",
  "tokens",
  "US$",
  "time",
];

function mainLine(row: TableRow): readonly string[] {
  const { name, figures, notRun, examples, costs } = row;
  const [objective] = figures;
  const published = objective?.published;
  return [
    name,
    objective?.metric ?? "",
    objective === undefined ? `did not run: ${notRun ?? ""}` : valueText(objective),
    objective === undefined ? "" : differenceText(objective.difference, row.against),
    objective === undefined ? unscoredText(row) : countText(objective, examples),
    published === undefined ? "" : `${published.value} (${published.of})`,
    [published?.differs ?? "", mockText(row)].filter((text) => text !== "").join("; "),
    lmText(row),
    ...costCells(costs),
  ];
}

/** The scored examples and their clusters, of which the interval is. */
function countText({ scored, clusters }: Figure, examples: number): string {
  return `${scored} of ${examples}${inClusters(clusters, scored, "")}`;
}

function unscoredText({ examples, clusters }: TableRow): string {
  return `${examples}${inClusters(clusters, examples, "")}`;
}

function lmText({ lms, recorded }: TableRow): string {
  if (recorded?.length === 0) return "none";
  if (recorded !== undefined) return `recorded outputs of ${recorded.join(", ")}`;
  return Object.entries(lms)
    .map(([role, { model }]) => (role === "lm" ? model : `${role}: ${model}`))
    .join(", ");
}

function mockText({ mocks }: TableRow): string {
  const { parts } = mockLabel(mocks);
  return parts === "" ? "" : `mocks: ${parts}`;
}

function totalLine(costs: RowCosts): readonly string[] {
  return ["all rows", "", "", "", "", "", "", "", ...costCells(costs)];
}

function costCells(costs: RowCosts): readonly string[] {
  const { lmCalls, billedCalls, promptTokens, completionTokens, usd, seconds } = costs;
  return [
    lmCalls === billedCalls ? `${lmCalls}` : `${lmCalls} (${billedCalls} sent)`,
    `${promptTokens + completionTokens}`,
    usd === null ? "no prices" : usd.toFixed(4),
    seconds < 120 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`,
  ];
}

/** The figures besides objectives, one line for each row that reports one. */
function further(rows: readonly TableRow[]): readonly string[] {
  const lines = rows.flatMap((row) =>
    row.figures
      .slice(1)
      .map((figure): readonly string[] => [
        row.name,
        figure.metric,
        valueText(figure),
        differenceText(figure.difference, row.against, neutral),
        `${figure.scored}`,
        publishedText(figure.published),
      ]),
  );
  if (lines.length === 0) return [];
  const head = ["row", "figure", "value", "difference", "n", "published"];
  return ["", "## Further figures", "", ...grid(head, lines)];
}

function breakdownLines({ name, groups }: BreakdownTable): readonly string[] {
  const isPublished = groups.some(({ figures }) => figures.some(({ published }) => published));
  const lines = groups.flatMap(({ group, row, examples, figures }) =>
    figures.map((figure) => [
      group,
      row,
      figure.metric,
      valueText(figure),
      countText(figure, examples),
      ...(isPublished ? [publishedText(figure.published)] : []),
    ]),
  );
  const head = [name, "row", "figure", "value", "n", ...(isPublished ? ["published"] : [])];
  return ["", `## By ${line(name)}`, "", ...grid(head, lines)];
}

function noteOf({ name, isAcceptable, optimized, unmatched }: TableRow): readonly string[] {
  return [
    ...(isAcceptable === false
      ? [`${name}: too many examples remained unscored, so no claim can be made.`]
      : []),
    ...(optimized === undefined ? [] : [`${name}: ${optimized}.`]),
    ...unmatched.map(
      ({ value, of, differs }) =>
        `${name}: published ${value} (${of}; ${differs}); this run has no such figure.`,
    ),
  ].flatMap((note) => ["", line(note)]);
}

function publishedText(published: PublishedFigure | undefined): string {
  return published === undefined
    ? ""
    : `${published.value} (${published.of}; ${published.differs})`;
}

function valueText({ value, interval }: Figure): string {
  return value === null ? "nothing was scored" : `${value.toFixed(4)} ${bounds(interval)}`;
}

function differenceText(
  difference: TableFigure["difference"],
  against: string | undefined,
  words = shortVerdicts,
): string {
  if (against === undefined) return "";
  if (difference === undefined) return `${against} has no figure to compare with`;
  if (isIncomparable(difference))
    return `not comparable with ${against}: ${difference.incomparable}`;
  const { interval, pValue, verdict, examples } = difference;
  const sign = difference.difference < 0 ? "" : "+";
  return `${sign}${difference.difference.toFixed(4)} ${bounds(interval)} against ${against} on ${examples}, p = ${pValue.toFixed(4)}, ${words[verdict]}`;
}

/** Whether more of a further figure is better is not declared. */
const neutral = { ...shortVerdicts, better: "higher", worse: "lower" };

function isIncomparable(
  difference: PairedDifference,
): difference is Extract<PairedDifference, { readonly incomparable: string }> {
  return "incomparable" in difference;
}

function bounds(interval: Interval | null): string {
  return interval === null
    ? noInterval
    : `[${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}]`;
}

function grid(head: readonly string[], lines: readonly (readonly string[])[]): readonly string[] {
  const cells = (texts: readonly string[]): string => `| ${texts.map(cell).join(" | ")} |`;
  return [cells(head), cells(head.map(() => "---")), ...lines.map(cells)];
}

/** Text from outside cannot end a cell or a line. */
function cell(text: string): string {
  return line(text).replaceAll("|", String.raw`\|`);
}

function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
