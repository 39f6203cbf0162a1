import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "../internal/index.ts";
import { mean, studentInterval } from "../statistics/index.ts";
import type { ComparedRun, ComparedSource } from "./data/compared-source.ts";
import type { SourceGroup, SummaryOverSeeds } from "./data/contrast.ts";

/** Runs that differ in nothing but their seed, together. */
export function sourceGroups(sources: readonly ComparedSource[]): readonly SourceGroup[] {
  const runs = sources.filter((source) => source.kind === "run");
  const alike = Map.groupBy(runs, ({ description }) => {
    const { seed: _seed, ...rest } = description;
    return canonicalJson(rest);
  });
  const groups = [...alike.values()].map((members) =>
    members.toSorted((one, other) => one.seed - other.seed),
  );
  const names = namesOf(groups.map(([first]) => first as ComparedRun));
  return groups.map((members, index) => ({
    name: names[index] ?? "",
    sources: members.map(({ key }) => key),
    seeds: members.map(({ seed }) => seed),
    figures: figuresOf(members),
  }));
}

/** The mean of a figure over seeds, and its interval. */
export function overSeeds(figure: string, values: readonly number[]): SummaryOverSeeds {
  return { figure, values, mean: mean(values), interval: studentInterval(values) };
}

/** A run's best value on val; `null` before it has one. */
export function bestOnVal({ candidates, best }: ComparedRun): number | null {
  return qualityOf(candidates[best ?? -1]);
}

/** Whether a search has ended with a candidate that is what it started from. */
export function isUnchanged(
  { candidates, end }: Pick<ComparedRun, "candidates" | "end">,
  candidate: number,
): boolean {
  // A search that goes on may find something yet.
  if (end === undefined) return false;
  return isDeepStrictEqual(candidates[candidate]?.components, candidates[0]?.components);
}

/** The value on test of a run's best candidate; `null` without a report on it. */
export function bestOnTest({ test, best }: ComparedRun): number | null {
  return test.find(({ candidate }) => candidate === best)?.value ?? null;
}

function qualityOf(candidate: ComparedRun["candidates"][number] | undefined): number | null {
  return candidate?.measures.find(({ name }) => name === "quality")?.value ?? null;
}

function figuresOf(runs: readonly ComparedRun[]): readonly SummaryOverSeeds[] {
  const figures: Readonly<Record<string, (run: ComparedRun) => number | null>> = {
    val: bestOnVal,
    "gain on val": (run) => difference(bestOnVal(run), qualityOf(run.candidates[0])),
    test: ({ test }) => test[0]?.value ?? null,
    "gain on test": ({ test }) => difference(test[0]?.value, test[0]?.seed?.value),
    metricCalls: ({ spending }) => spending.spent?.metricCalls ?? null,
    tokens: ({ spending }) => spending.spent?.tokens ?? null,
    costUsd: ({ spending }) => spending.costUsd,
  };
  return Object.entries(figures).flatMap(([figure, of]) => {
    const values = runs.flatMap((run) => of(run) ?? []);
    return values.length === 0 ? [] : [overSeeds(figure, values)];
  });
}

function difference(one: number | null | undefined, other: number | null | undefined) {
  return typeof one === "number" && typeof other === "number" ? one - other : null;
}

/** The optimizer, and behind it what tells groups with the same optimizer apart. */
function namesOf(firsts: readonly ComparedRun[]): readonly string[] {
  const traits: readonly ((run: ComparedRun) => string)[] = [
    ({ subject }) => subject.program?.name ?? "",
    ({ subject }) => subject.trainset?.name ?? "",
    ({ subject }) => subject.lm ?? "",
    ({ optimizer }) => `version ${optimizer.version}`,
    ({ budget }) =>
      Object.entries(budget)
        .map(([cap, most]) => `${cap} ${JSON.stringify(most)}`)
        .join(", "),
  ];
  let names = firsts.map(({ optimizer }) => optimizer.name);
  for (const trait of traits) {
    const texts = firsts.map(trait);
    names = names.map((name, index) => {
      const rivals = firsts.keys().filter((other) => other !== index && names[other] === name);
      return rivals.some((other) => texts[other] !== texts[index])
        ? `${name}, ${texts[index]}`
        : name;
    });
  }
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}
