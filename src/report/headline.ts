import type { Judged, VerdictWords } from "../evaluate/index.ts";
import { verdictWords } from "../evaluate/index.ts";
import { mean } from "../statistics/index.ts";
import type { ComparedRun, ComparedSource } from "./data/compared-source.ts";
import type { Contrast, Headline, Side } from "./data/contrast.ts";
import type { RunComparison } from "./data/run-comparison.ts";
import { sideScores } from "./pair/side-scores.ts";

/**
 * What won, by how much, how surely, at what cost. Of several groups of runs, or results, the
 * highest mean against the next; of one run its best candidate against the seed, on test where it
 * was reported on.
 */
export function headline(compared: Omit<RunComparison, "headline">): Headline | null {
  const { sources, contrasts } = compared;
  const contrast = decisive(contrasts, compared);
  if (contrast === null) return null;
  const count = 1 + contrasts.filter(({ kind }) => kind === contrast.kind).length;
  const isWorse = contrast.kind !== "seed" && contrast.difference < 0;
  const [winner, baseline] = isWorse
    ? [contrast.baseline, contrast.other]
    : [contrast.other, contrast.baseline];
  const runs = winner.members.map(({ source }) => sources.find(({ key }) => key === source));
  const cost = costOf(runs);
  const metric = runs[0]?.subject.objective?.name ?? "quality";
  const onTest = contrast.kind === "seed" ? testOf(runs, winner) : undefined;
  const found = onTest ?? onSplit(compared, contrast, isWorse);
  // Of two, both are named; of several a reader must be told which two.
  const among = contrast.kind !== "seed" &&
    count > 2 && {
      count,
      against: isWorse ? ("the next highest" as const) : ("the first one given" as const),
    };
  const { split, value, difference, interval, verdict } = found;
  const words = verdictWords(found, baseline.name);
  const figures = { split, metric, value, difference, interval, verdict, words };
  const parts = { winner, baseline, ...figures, ...cost, ...(among && { among }) };
  return { ...parts, sentence: sentenceOf(parts, { contrast, runs, clusters: found.clusters }) };
}

/**
 * The contrast of the highest group or result with the first one, or of the first one, if it is the
 * highest, with the next; without one, that of best and seed.
 */
function decisive(
  contrasts: readonly Contrast[],
  compared: Omit<RunComparison, "headline">,
): Contrast | null {
  const others = contrasts.filter(({ kind }) => kind !== "seed");
  const kinds = others.filter(({ kind }) => kind === others[0]?.kind);
  const value = (side: Side, { split }: Contrast): number => meanOn(compared, side, split);
  const [highest] = kinds.toSorted(
    (one, two) => value(two.other, two) - value(one.other, one) || 0,
  );
  return highest ?? contrasts.find(({ kind }) => kind === "seed") ?? null;
}

function meanOn(
  compared: Omit<RunComparison, "headline">,
  side: Side,
  split: Contrast["split"],
): number {
  const values = [...sideScores(compared, side, split).values()].flatMap(
    ({ value }) => value ?? [],
  );
  return mean(values);
}

type Found = Pick<Headline, "split" | "value"> & Judged;

/** The report of a run on test, which the search never saw. */
function testOf(runs: readonly (ComparedSource | undefined)[], winner: Side): Found | undefined {
  const [run] = runs;
  const [member] = winner.members;
  if (runs.length !== 1 || run?.kind !== "run") return undefined;
  const figure = run.test.find(({ candidate }) => candidate === member?.candidate);
  if (figure === undefined || figure.value === null || !figure.comparison) return undefined;
  return { split: "test", value: figure.value, ...figure.comparison };
}

function onSplit(
  compared: Omit<RunComparison, "headline">,
  contrast: Contrast,
  isWorse: boolean,
): Found {
  const { baseline, other, split, difference, interval, verdict } = contrast;
  if (!isWorse) return { ...contrast, value: meanOn(compared, other, split) };
  const turned = { better: "worse", worse: "better", undecided: "undecided" } as const;
  return {
    ...contrast,
    value: meanOn(compared, baseline, split),
    difference: -difference,
    interval: interval && { low: -interval.high, high: -interval.low },
    verdict: turned[verdict],
  };
}

function costOf(
  runs: readonly (ComparedSource | undefined)[],
): Pick<Headline, "metricCalls" | "tokens" | "costUsd"> {
  const spending = runs.flatMap((source) =>
    source === undefined || source.kind === "artifact" ? [] : [source.spending],
  );
  const sum = (values: readonly (number | null | undefined)[]): number | null =>
    values.length === 0 || values.some((value) => typeof value !== "number")
      ? null
      : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return {
    metricCalls: sum(spending.map(({ spent }) => spent?.metricCalls)),
    tokens: sum(
      spending.map(
        ({ spent, used }) =>
          spent?.tokens ??
          sum(
            Object.values(used).map(
              ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
            ),
          ),
      ),
    ),
    costUsd: sum(spending.map(({ costUsd }) => costUsd)),
  };
}

function sentenceOf(
  {
    winner,
    baseline,
    split,
    metric,
    value,
    difference,
    interval,
    words,
    among,
    ...cost
  }: Omit<Headline, "sentence">,
  {
    contrast: { kind },
    runs,
    clusters,
  }: {
    readonly contrast: Contrast;
    readonly runs: readonly (ComparedSource | undefined)[];
    readonly clusters: number;
  },
): string {
  const isSeed = winner.members.every(({ candidate }) => candidate === 0);
  const spent = [
    ...(cost.metricCalls === null ? [] : [`${counted(cost.metricCalls)} metric calls`]),
    ...(cost.tokens === null ? [] : [`${counted(cost.tokens)} tokens`]),
    ...(cost.costUsd === null ? [] : [`$${cost.costUsd.toFixed(2)}`]),
  ].join(" and ");
  // Only a phrase begins with a capital letter: names of optimizers and files keep theirs.
  const name = winner.name.replace(/^candidate /, "Candidate ").replace(/^the seed /, "The seed ");
  const of = among ? `Highest of ${among.count}: ` : "";
  const rival = among ? `${baseline.name} (${among.against})` : baseline.name;
  const scores = `${of}${name}: ${value.toFixed(4)} ${metric} on ${split}`;
  const rehearsed = runs.some((source) => source?.isRehearsal === true)
    ? " These figures come from the rehearsal LM and say nothing about a real model."
    : "";
  const at = spent === "" ? "" : ` It took ${spent}.`;
  if (kind === "seed" && isSeed && runs.every((run): run is ComparedRun => run?.kind === "run")) {
    return `${scores}. The search found nothing better than the program it started from.${at}${rehearsed}`;
  }
  if (difference === 0 && interval?.low === 0 && interval.high === 0) {
    return `${scores}, the same as ${baseline.name} on every example.${at}${rehearsed}`;
  }
  const way = difference < 0 ? "below" : "above";
  const bounds = words.isIntervalTooNarrow
    ? ` (no interval: with ${clusters} clusters it would be too narrow)`
    : interval
      ? ` (95 % interval ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)})`
      : "";
  const flatters =
    split === "val" ? "; val chose these candidates, so that their values flatter them" : "";
  const help = words.help === null ? "" : ` ${capitalized(words.help)}.`;
  return `${scores}, ${Math.abs(difference).toFixed(4)} ${way} ${rival}${bounds}. ${verdictSentence(words)}${flatters}.${help}${at}${rehearsed}`;
}

function verdictSentence({ verdict, reason }: VerdictWords): string {
  return capitalized(reason === null ? verdict : `${verdict} (${reason})`);
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function counted(value: number): string {
  return Math.round(value).toLocaleString("en");
}
