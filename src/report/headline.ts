import type { Judged } from "../evaluate/index.ts";
import { verdictWords } from "../evaluate/index.ts";
import { mean } from "../statistics/index.ts";
import type { ComparedSource } from "./data/compared-source.ts";
import type { Contrast, Headline, HeadlineCost, Side } from "./data/contrast.ts";
import type { HeadlineParts } from "./headline-text.ts";
import { headlineLead, headlineRest } from "./headline-text.ts";
import type { RunComparison } from "./data/run-comparison.ts";
import { sideScores } from "./pair/side-scores.ts";

/**
 * What won, by how much, how surely, at what cost. Of several groups of runs, or results, the
 * highest mean against the next; of one run its best candidate against the seed, on test where it
 * was reported on.
 */
export function headline(compared: Omit<RunComparison, "headline">): Headline | null {
  const { sources, contrasts } = compared;
  // The gain of one run in its search is no answer to which of two is better.
  const isNoAnswer = (compared.incomparable ?? []).length > 0 && contrasts.every(isOfSeed);
  const contrast = isNoAnswer ? null : decisive(contrasts, compared);
  if (contrast === null) return null;
  const count = 1 + contrasts.filter(({ kind }) => kind === contrast.kind).length;
  const isWorse = contrast.kind !== "seed" && contrast.difference < 0;
  const [winner, baseline] = isWorse
    ? [contrast.baseline, contrast.other]
    : [contrast.other, contrast.baseline];
  const runs = runsIn(sources, winner);
  const metric = runs[0]?.subject.objective?.name ?? "quality";
  const onTest = contrast.kind === "seed" ? testOf(runs, winner) : undefined;
  const found = onTest ?? onSplit(compared, contrast, isWorse);
  // Of two, both are named; of several a reader must be told which two.
  const against = isWorse ? ("the next highest" as const) : ("the first one given" as const);
  const among = contrast.kind !== "seed" && count > 2 ? { count, against } : undefined;
  const which = among ? ` (${against} of ${count})` : "";
  const rival =
    contrast.kind === "seed" ? "the program it started from" : `${baseline.name}${which}`;
  const parts: HeadlineParts = {
    kind: contrast.kind,
    winner,
    baseline,
    metric,
    split: found.split,
    value: found.value,
    difference: found.difference,
    interval: found.interval,
    verdict: found.verdict,
    words: verdictWords(found, rival),
    examples: found.examples,
    clusters: found.clusters,
    better: found.better,
    worse: found.worse,
    baselineValue: found.value - found.difference,
    ...costOf(runs),
    isRehearsal: runs.some((source) => source?.isRehearsal === true),
    ...(contrast.kind !== "seed" && { baselineCost: costOf(runsIn(sources, baseline)) }),
    ...(contrast.kind === "seed" && fellOf(runs, winner, metric)),
    ...reportedOnTest(compared, contrast, { winner, baseline }),
    ...(among && { among }),
  };
  const lead = headlineLead(parts);
  return { ...parts, lead, sentence: [lead, ...headlineRest(parts)].join(" ") };
}

function isOfSeed({ kind }: Contrast): boolean {
  return kind === "seed";
}

/** The further metrics that a run's report on test found worse than the seed's. */
function fellOf(
  [run]: readonly (ComparedSource | undefined)[],
  { members: [member] }: Side,
  decides: string,
): Pick<Headline, "fell"> {
  if (run?.kind !== "run") return {};
  const fell = run.test.flatMap(({ candidate, metric, value, comparison }) =>
    candidate === member?.candidate &&
    metric !== decides &&
    value !== null &&
    comparison?.verdict === "worse"
      ? [{ metric, value, difference: comparison.difference }]
      : [],
  );
  return fell.length === 0 ? {} : { fell };
}

function runsIn(
  sources: readonly ComparedSource[],
  { members }: Side,
): readonly (ComparedSource | undefined)[] {
  return members.map(({ source }) => sources.find(({ key }) => key === source));
}

/** Means over seeds of what both groups report of their best on test, if both do. */
function reportedOnTest(
  { groups }: Pick<RunComparison, "groups">,
  { kind, split }: Contrast,
  { winner, baseline }: Record<"winner" | "baseline", Side>,
): Pick<Headline, "onTest"> {
  if (kind !== "group" || split === "test") return {};
  const [value, other] = [winner, baseline].map(({ members }) => {
    const keys = members.map(({ source }) => source);
    const group = groups.find(
      ({ sources }) => sources.length === keys.length && sources.every((key) => keys.includes(key)),
    );
    const figure = group?.figures.find(({ figure: name }) => name === "test");
    return figure?.values.length === keys.length ? figure.mean : undefined;
  });
  return value === undefined || other === undefined
    ? {}
    : { onTest: { value, baselineValue: other } };
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
  const values = [...sideScores(compared, side, split).values()].flatMap((value) => value ?? []);
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
  const { baseline, other, split, difference, interval, verdict, better, worse } = contrast;
  if (!isWorse) return { ...contrast, value: meanOn(compared, other, split) };
  const turned = { better: "worse", worse: "better", undecided: "undecided" } as const;
  return {
    ...contrast,
    value: meanOn(compared, baseline, split),
    difference: -difference,
    interval: interval && { low: -interval.high, high: -interval.low },
    verdict: turned[verdict],
    better: worse,
    worse: better,
  };
}

function costOf(runs: readonly (ComparedSource | undefined)[]): HeadlineCost {
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
