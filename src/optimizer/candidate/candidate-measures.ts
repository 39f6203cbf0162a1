import type { CandidateRecord, Costs } from "./candidate-record.ts";

/** What candidates are weighed by: one figure each, by name. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly better: "higher" | "lower";
}

/**
 * `quality`, the objective on val; the metric's further objectives by their own names, higher is
 * better; and what one example takes on average: `promptTokens`, `completionTokens`, `lmCalls`,
 * `latencyMs`, as far as they are known, lower is better.
 */
export function candidateMeasures({ selection }: CandidateRecord): readonly Measure[] {
  const { value, objectives = {}, costs } = selection;
  return [
    { name: "quality", value, better: "higher" },
    ...Object.entries(objectives).map(([name, mean]) => ({
      name,
      value: mean,
      better: "higher" as const,
    })),
    ...costNames.flatMap((name) => {
      const cost = costs?.[name];
      return cost === undefined ? [] : [{ name, value: cost, better: "lower" as const }];
    }),
  ];
}

const costNames: readonly (keyof Costs)[] = [
  "promptTokens",
  "completionTokens",
  "lmCalls",
  "latencyMs",
];

/**
 * Ids of the candidates that no other one is at least as good as in every measure, and better in
 * one; ascending. Of candidates that are equal in all, the first.
 */
export function paretoFront(candidates: readonly CandidateRecord[]): readonly number[] {
  const measured = candidates
    .map((candidate) => ({
      id: candidate.id,
      value: candidate.selection.value,
      measures: new Map(candidateMeasures(candidate).map((measure) => [measure.name, measure])),
    }))
    .toSorted((one, other) => other.value - one.value || one.id - other.id);
  // What is worse than another is worse than one of the front: the others need not be looked at.
  const front: typeof measured = [];
  for (const one of measured) {
    if (!front.some((other) => isAtLeastAsGood(other.measures, one.measures))) front.push(one);
  }
  return front
    .filter(
      ({ id, measures }) =>
        !front.some((other) => other.id !== id && isAtLeastAsGood(other.measures, measures)),
    )
    .map(({ id }) => id)
    .toSorted((one, other) => one - other);
}

type Measures = ReadonlyMap<string, Measure>;

/** Where one of the two lacks a measure, neither is at least as good. */
function isAtLeastAsGood(one: Measures, other: Measures): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([name, { value, better }]) => {
    const against = other.get(name)?.value;
    if (against === undefined) return false;
    return better === "higher" ? value >= against : value <= against;
  });
}
