import type { SplitName } from "../contract/index.ts";
import { mean, nothingChanged } from "../statistics/index.ts";
import type { ComparedRun, ComparedSource } from "./data/compared-source.ts";
import type { Contrast, Side, SourceGroup } from "./data/contrast.ts";
import { contrastOf } from "./pair/contrast-of.ts";
import { figure } from "./headline-text.ts";
import type { RunComparison } from "./data/run-comparison.ts";
import { bestOnTest, bestOnVal, isUnchanged, overSeeds } from "./source-groups.ts";

type Compared = Pick<RunComparison, "examples" | "sources" | "strata" | "groups">;

interface Wanted {
  readonly kind: Contrast["kind"];
  readonly baseline: Side;
  readonly other: Side;
  readonly split: SplitName;
}

/**
 * The differences that a reader asks for first: the best of each group of runs against the program
 * they started from, groups against the first one, results against the first of their split. On
 * test where all runs were reported on, since the searches chose by val.
 */
export function contrasts(
  compared: Compared,
  { resamples }: { readonly resamples: number },
): {
  readonly contrasts: readonly Contrast[];
  /** Which of them there are not, and why. */
  readonly incomparable: readonly string[];
} {
  const incomparable: string[] = [];
  const unchanged: string[] = [];
  const found = wantedOf(compared).flatMap((wanted): readonly Contrast[] => {
    const { baseline, other, kind, split } = wanted;
    if (kind === "seed" && areUnchanged(compared.sources, other)) {
      unchanged.push(unchangedText(compared.sources, other));
      return [];
    }
    const problem = problemOf(compared.sources, baseline, other);
    if (problem !== null) {
      incomparable.push(cannot(other, baseline, problem));
      return [];
    }
    const contrast = contrastOf(compared, { baseline, other, split, resamples });
    if (contrast === null) {
      incomparable.push(cannot(other, baseline, "no example was scored by both"));
      return [];
    }
    const seeds = kind === "group" ? pairedBySeed(compared.sources, wanted) : [];
    return [
      {
        kind,
        ...contrast,
        isSelected: kind !== "result" && split === "val",
        ...(seeds.length > 0 && { overSeeds: overSeeds("difference", seeds) }),
      },
    ];
  });
  return { contrasts: found, incomparable: [...incomparable, ...unchanged] };
}

/** Whether all members are what their searches started from: they have no difference to show. */
function areUnchanged(sources: readonly ComparedSource[], { members }: Side): boolean {
  return members.every(({ source, candidate }) => {
    const found = sources.find(({ key }) => key === source);
    return found?.kind === "run" && isUnchanged(found, candidate);
  });
}

function unchangedText(sources: readonly ComparedSource[], { name, members }: Side): string {
  const keys = members.map(({ source }) => source);
  const runs = runsOf(sources, keys);
  const onTest = runs.flatMap((run) => bestOnTest(run) ?? []);
  const isOnTest = onTest.length === runs.length;
  const value = mean(isOnTest ? onTest : runs.flatMap((run) => bestOnVal(run) ?? []));
  const on = `${runs[0]?.subject.objective?.name ?? "quality"} on ${isOnTest ? "test" : "val"}`;
  const of = sources.length === keys.length ? "" : ` in ${keys.length === 1 ? keys[0] : name}`;
  return `Nothing changed${of}: ${nothingChanged}, ${figure(value)} ${on}.`;
}

function cannot(other: Side, baseline: Side, why: string): string {
  return `Cannot compare ${other.name} with ${baseline.name}: ${why}.`;
}

/** The best candidates of a group's runs. */
function bestOf(
  { sources }: Pick<Compared, "sources">,
  { name, sources: keys, seeds }: SourceGroup,
): Side {
  const members = runsOf(sources, keys).flatMap(({ key, best }) =>
    best === null ? [] : [{ source: key, candidate: best }],
  );
  const [only] = members;
  const named =
    members.length === 1 && only !== undefined
      ? `candidate ${only.candidate} of ${only.source}`
      : `${name} (${seeds.length} seeds)`;
  return { name: named, members };
}

function wantedOf({ sources, groups }: Compared): readonly Wanted[] {
  const bests = groups.map((group) => bestOf({ sources }, group));
  const [first] = bests;
  const ofSeeds = bests.map((other): Wanted => {
    const members = other.members.map(({ source }) => ({ source, candidate: 0 }));
    const name =
      members.length === 1 ? "the program it started from" : "the programs they started from";
    const baseline = { name, members };
    return { kind: "seed", baseline, other, split: splitOf(sources, [baseline, other]) };
  });
  const ofGroups = bests.slice(1).flatMap((other): readonly Wanted[] =>
    first === undefined
      ? []
      : [
          {
            kind: "group",
            baseline: first,
            other,
            split: splitOf(sources, [first, other]),
          },
        ],
  );
  const results = sources.filter((source) => source.kind === "result");
  const ofResults = [...Map.groupBy(results, ({ split }) => split)].flatMap(
    ([split, [base, ...others]]) =>
      others.flatMap((other): readonly Wanted[] =>
        base === undefined
          ? []
          : [{ kind: "result", baseline: sideOf(base), other: sideOf(other), split }],
      ),
  );
  const hasValue = ({ other }: Wanted): boolean => other.members.length > 0;
  return [...ofSeeds, ...ofGroups, ...ofResults].filter(hasValue);
}

/** Test where all candidates have scores there, else val. */
function splitOf(sources: readonly ComparedSource[], sides: readonly Side[]): SplitName {
  const isOnTest = sides
    .flatMap(({ members }) => members)
    .every(
      ({ source, candidate }) =>
        sources.find(({ key }) => key === source)?.candidates[candidate]?.scores.test !== undefined,
    );
  return isOnTest ? "test" : "val";
}

function sideOf({ key }: ComparedSource): Side {
  return { name: key, members: [{ source: key, candidate: 0 }] };
}

function runsOf(sources: readonly ComparedSource[], keys: readonly string[]): ComparedRun[] {
  return keys.flatMap((key) =>
    sources.filter((one) => one.kind === "run" && one.key === key),
  ) as ComparedRun[];
}

/** Why two sides have no difference; `null` if they have one. */
function problemOf(sources: readonly ComparedSource[], baseline: Side, other: Side): string | null {
  const members = [...baseline.members, ...other.members];
  const subjects = members.flatMap(
    ({ source }) => sources.find(({ key }) => key === source)?.subject ?? [],
  );
  const metrics = new Set(
    subjects.map(({ objective }) => objective && `${objective.name} ${objective.version}`),
  );
  if (metrics.size > 1) {
    return `their metrics differ (${[...metrics].map((name) => name ?? "unknown").join(" and ")})`;
  }
  const checksums = subjects.flatMap(({ trainset }) => trainset?.checksum ?? []);
  if (new Set(checksums).size > 1) return "their trainsets differ";
  return members.some((member) => isAggregate(sources, member))
    ? "the metric has its own aggregate, which cannot be computed from single scores"
    : null;
}

/** Whether a candidate's quality is not the mean of its scores. */
function isAggregate(
  sources: readonly ComparedSource[],
  { source, candidate }: Side["members"][number],
): boolean {
  const found = sources.find(({ key }) => key === source)?.candidates[candidate];
  const { scores = {}, measures = [], seen } = found ?? {};
  const quality = measures.find(({ name }) => name === "quality")?.value;
  const column = scores.val ?? scores.test ?? scores.train;
  const values = column?.values.filter((value) => value !== null) ?? [];
  if (quality === undefined || seen !== undefined || values.length === 0) return false;
  return Math.abs(mean(values) - quality) > 1e-9;
}

/** Differences of the best values of runs with the same seed. */
function pairedBySeed(
  sources: readonly ComparedSource[],
  { baseline, other, split }: Pick<Wanted, "baseline" | "other" | "split">,
): readonly number[] {
  const valueOf = split === "test" ? bestOnTest : bestOnVal;
  const valuesOf = ({ members }: Side): ReadonlyMap<number, number> =>
    new Map(
      runsOf(
        sources,
        members.map(({ source }) => source),
      ).flatMap((run): [number, number][] => {
        const value = valueOf(run);
        return value === null ? [] : [[run.seed, value]];
      }),
    );
  const before = valuesOf(baseline);
  return [...valuesOf(other)].flatMap(([seed, value]) => {
    const one = before.get(seed);
    return one === undefined ? [] : [value - one];
  });
}
