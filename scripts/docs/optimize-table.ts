/** One run of `npm run optimize`, as its last line of JSON reports it. */
export interface MeasuredRun {
  readonly name: string;
  /** Number of passages searched. */
  readonly passages: number;
  readonly metricCalls: number;
  /** On test: the optimized metric first, then every further objective. */
  readonly figures: readonly {
    readonly metric: string;
    readonly seed: number;
    readonly optimized: number;
    readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
    readonly verdict: string;
  }[];
}

export function optimizeTable(runs: readonly MeasuredRun[]): string {
  return [
    "| trainset | passages | metric on test | seed | optimized | paired difference, 95 % |",
    "| --- | --- | --- | --- | --- | --- |",
    ...runs.flatMap(({ name, passages, figures }) =>
      figures.map(({ metric, seed, optimized, difference: { mean, low, high }, verdict }) => {
        const shown = { better: "", worse: ", worse", undecided: ", not shown" }[verdict] ?? "";
        const interval = `[${signed(low)}, ${signed(high)}]`;
        return `| ${[
          name,
          passages.toLocaleString("en"),
          `\`${metric}\``,
          plain(seed),
          plain(optimized),
          `${mean < 0 ? "" : "+"}${signed(mean)} ${interval}${shown}`,
        ].join(" | ")} |`;
      }),
    ),
  ].join("\n");
}

function plain(value: number): string {
  return value.toFixed(3).replace(/^0/, "");
}

function signed(value: number): string {
  return value.toFixed(3).replace(/^(-?)0/, "$1");
}
