import type {
  ComparedArtifact,
  ComparedSource,
  Contrast,
  RunComparison,
  SourceGroup,
  StratumDifference,
} from "../../report/index.ts";
import { flipsOf, mainContrast } from "../../report/index.ts";
import type { Interval } from "../../evaluate/index.ts";
import { verdictSentence, verdictWords } from "../../statistics/index.ts";
import { columns, joinLines } from "../terminal/terminal.ts";
import { flipsText } from "../terminal/flips-text.ts";
import { boundsText, reasonLines, signedText } from "../terminal/figures-text.ts";

/** A comparison in one screen: what won, each source, differences, and what changed most. */
export function comparisonText(found: RunComparison): string {
  const { comparison, legend } = lettered(found);
  const { headline, incomparable = [], sources, groups, contrasts, notes } = comparison;
  return joinLines([
    ...(headline === null ? [] : [headline.sentence]),
    ...incomparable,
    ...(headline === null && incomparable.length === 0
      ? ["There are not two sets of scores on the same split to compare."]
      : []),
    "",
    ...columns([
      ["", "", "seed", "candidates", "quality", "95 %", "test", "metric calls", "tokens", "$"],
      ...sources.map(sourceRow),
    ]),
    ...legend,
    ...groupsText(groups),
    ...(contrasts.length === 0 ? [] : ["", "differences", ...contrasts.flatMap(contrastLines)]),
    ...detailsOf(comparison),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ]);
}

/** With letters for names that are too long for tables, and what each letter stands for. */
function lettered(found: RunComparison): {
  readonly comparison: RunComparison;
  readonly legend: readonly string[];
} {
  const long = found.sources.map(({ key }) => key).filter(({ length }) => length > 16);
  if (long.length === 0) return { comparison: found, legend: [] };
  const letters = long.map((key, index) => [key, sourceLetter(index)] as const);
  // One name may begin another.
  const longest = letters.toSorted(([one], [other]) => other.length - one.length);
  const shorten = (_name: string, value: unknown): unknown =>
    typeof value === "string"
      ? longest.reduce((text, [key, letter]) => text.replaceAll(key, letter), value)
      : value;
  return {
    comparison: JSON.parse(JSON.stringify(found), shorten) as RunComparison,
    legend: letters.map(([key, letter]) => `${letter}  ${key}`),
  };
}

/** `A` to `Z`, then `A2` and so on. */
function sourceLetter(index: number): string {
  const round = Math.floor(index / 26);
  return `${String.fromCodePoint(65 + (index % 26))}${round === 0 ? "" : round + 1}`;
}

function sourceRow(source: ComparedSource): readonly string[] {
  const { key, kind, candidates, best } = source;
  const { measures = [], seen } = candidates[best ?? -1] ?? {};
  const quality = measures.find(({ name }) => name === "quality");
  const isRun = source.kind === "run";
  const tests = source.kind === "result" ? [] : source.test;
  const test = tests.find(({ candidate }) => candidate === best) ?? tests[0];
  const spending = source.kind === "artifact" ? undefined : source.spending;
  const { spent, costUsd = null } = spending ?? {};
  return [
    key,
    isRun ? source.optimizer.name : source.kind === "artifact" ? artifactText(source) : kind,
    source.kind === "artifact" ? (numberText(source.optimizer?.seed) ?? "-") : String(source.seed),
    isRun ? String(candidates.length) : "-",
    quality === undefined ? "-" : quality.value.toFixed(4),
    seen === undefined ? boundsOrDash(quality?.interval ?? null) : "estimate",
    typeof test?.value === "number" ? test.value.toFixed(4) : "-",
    numberText(spent?.metricCalls) ?? "-",
    numberText(spent?.tokens) ?? "-",
    costUsd === null ? "-" : costUsd.toFixed(2),
  ];
}

/** What is in production, and what made it. */
function artifactText({ aliases, optimizer }: ComparedArtifact): string {
  return ["artifact", ...aliases, ...(optimizer ? [`by ${optimizer.name}`] : [])].join(", ");
}

/** Groups of one run say nothing that its line does not. */
function groupsText(groups: readonly SourceGroup[]): readonly string[] {
  const several = groups.filter(({ sources }) => sources.length > 1);
  if (several.length === 0) return [];
  const cellOf = ({ figures }: SourceGroup, name: string): string => {
    const found = figures.find(({ figure }) => figure === name);
    if (found === undefined) return "-";
    const { mean, interval } = found;
    return interval === null ? mean.toFixed(4) : `${mean.toFixed(4)} ${boundsText(interval)}`;
  };
  const shown = ["val", "gain on val", "test", "gain on test"] as const;
  return [
    "",
    ...columns([
      ["mean over seeds, 95 % by Student's t", "seeds", ...shown],
      ...several.map((group) => [
        group.name,
        String(group.seeds.length),
        ...shown.map((name) => cellOf(group, name)),
      ]),
    ]),
  ];
}

/** One below the other: the names of two sources are too long for a table. */
function contrastLines(contrast: Contrast): readonly string[] {
  const { kind, baseline, other, split, verdict } = contrast;
  const place = { on: split, other: other.name, isChange: kind === "seed" };
  const words = verdictWords(contrast, baseline.name).verdict;
  return [verdictSentence(verdict, words, place), ...reasonLines(contrast)];
}

const maxShown = 5;

/** Of the contrast that the headline is of: the largest strata and flips. */
function detailsOf(comparison: RunComparison): readonly string[] {
  const { examples } = comparison;
  const main = mainContrast(comparison);
  if (main === undefined) return [];
  const flips = flipsOf(comparison, main);
  const of = `of ${main.other.name} against ${main.baseline.name}`;
  return [
    ...strataText(main.strata, of),
    ...(flips.length === 0
      ? []
      : [
          "",
          `examples whose score changed, ${of}: ${flips.length}, largest change first`,
          ...flipsText(
            flips.map(({ example, baseline, other }) => {
              const { id = "", input } = examples[example] ?? {};
              return { exampleId: id, baseline, other, input };
            }),
            maxShown,
          ),
        ]),
  ];
}

function strataText(strata: readonly StratumDifference[], of: string): readonly string[] {
  const changed = strata.filter(({ difference }) => difference !== 0);
  if (changed.length === 0) return [];
  const largest = changed.toSorted(
    (one, other) => Math.abs(other.difference) - Math.abs(one.difference),
  );
  return [
    "",
    ...columns([
      [`largest differences by label ${of}`, "", "95 %", "examples"],
      ...largest
        .slice(0, maxShown)
        .map(({ label, group, difference, interval, examples }) => [
          `  ${label} ${group}`,
          signedText(difference),
          boundsOrDash(interval),
          String(examples),
        ]),
    ]),
  ];
}

function boundsOrDash(interval: Interval | null): string {
  return interval === null ? "-" : boundsText(interval);
}

function numberText(value: number | undefined): string | undefined {
  return value?.toLocaleString("en");
}
