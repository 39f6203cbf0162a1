import type { SplitName } from "../../contract/index.ts";
import { assumedCompletion } from "../../optimizer/index.ts";
import { joinLines } from "../terminal/terminal.ts";

/** What a row would take. */
export interface DryRow {
  readonly row: string;
  /** A run on a sample; a few examples with the rehearsal LM; or one call of each predictor. */
  readonly basis: "measured" | "rehearsal" | "prompts";
  readonly examples: number;
  /** Scored program runs: those of the optimization at most, and one for each example. */
  readonly metricCalls: number;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** `null` without prices. */
  readonly usd: number | null;
  /** `null` without a rate or a measurement. */
  readonly hours: number | null;
}

/** A row of which nothing can be said: its data is not at hand, or does not fit. */
export interface RefusedDryRow {
  readonly row: string;
  /** The problem, in a clause. */
  readonly notRun: string;
}

export interface DryTable {
  readonly file: string;
  readonly name: string;
  readonly title: string;
  readonly split: SplitName;
  readonly ratePerMinute: number | null;
  readonly rows: readonly (DryRow | RefusedDryRow)[];
}

/** As a Markdown table with a line of sums. */
export function dryRunText({ file, title, split, ratePerMinute, rows }: DryTable): string {
  const head = [
    "row",
    "metric calls",
    "LM calls",
    "prompt tokens",
    "completion tokens",
    "US$",
    "hours",
  ];
  const known = rows.filter((row): row is DryRow => !("notRun" in row));
  const sum = (of: (row: DryRow) => number | null): number | null =>
    known.some((row) => of(row) === null)
      ? null
      : known.reduce((total, row) => total + (of(row) ?? 0), 0);
  const cells = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  const line = (name: string, of: Omit<DryRow, "row" | "basis" | "examples">): string =>
    cells([
      name,
      String(of.metricCalls),
      String(of.calls),
      String(of.promptTokens),
      String(of.completionTokens),
      of.usd === null ? "no prices" : of.usd.toFixed(2),
      of.hours === null ? "no rate" : of.hours.toFixed(2),
    ]);
  const bases = new Set(known.map(({ basis }) => basis));
  const lacking = rows.length - known.length;
  return joinLines([
    `${title} (${file}), split ${split}`,
    "",
    cells(head),
    cells(head.map(() => "---")),
    ...rows.map((row) =>
      "notRun" in row
        ? cells([row.row, `cannot run: ${row.notRun}`, ...head.slice(2).map(() => "")])
        : line(row.row, row),
    ),
    known.length === 0
      ? cells(["all rows", "unknown: no row can run", ...head.slice(2).map(() => "")])
      : line(
          lacking === 0
            ? "all rows"
            : `the ${known.length} ${known.length === 1 ? "row" : "rows"} that can run`,
          {
            metricCalls: sum((row) => row.metricCalls) ?? 0,
            calls: sum((row) => row.calls) ?? 0,
            promptTokens: sum((row) => row.promptTokens) ?? 0,
            completionTokens: sum((row) => row.completionTokens) ?? 0,
            usd: sum((row) => row.usd),
            hours: sum((row) => row.hours),
          },
        ),
    ...(known.length === 0
      ? []
      : [
          "",
          ...[...bases].map((basis) => meanings[basis]),
          ratePerMinute === null
            ? "Hours: --rate N, in LM calls per minute, or --measured RUN."
            : `Hours at ${ratePerMinute} LM calls per minute.`,
        ]),
  ]);
}

const toMeasure = "To measure instead, run it with --sample N --run RUN, then give --measured RUN.";

const meanings: Readonly<Record<DryRow["basis"], string>> = {
  measured: "Scaled from a measured run.",
  rehearsal: `Estimated with the rehearsal LM: its calls and prompts on up to 8 examples of each row, with those of judges and of rerankers that ask an LM, and ${assumedCompletion.student} tokens for each reply, or as many as its request allows if that is less. A real model may take other branches and more steps. ${toMeasure}`,
  prompts: `Estimated: each predictor is asked once for an example, which loops and branches change, and judges and rerankers that ask an LM come on top: --rehearsal counts them. ${toMeasure}`,
};
