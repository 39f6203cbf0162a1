import type { CandidateRecord, Costs } from "./candidate-record.ts";
import { withinScores } from "../../statistics/index.ts";

/** One named figure by which candidates are compared. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly better: "higher" | "lower";
}

/**
 * The measures of a candidate: `quality`, the objective on val; the metric's further objectives
 * under their own names, higher is better; and the average cost of one example, `promptTokens`,
 * `completionTokens`, `lmCalls` and `latencyMs` where known, lower is better.
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
 * A candidate's value on val as it is shown. An estimate is kept within what scores can be, by
 * those of the candidate and of the seed; the seed's own value shows where the objective is no
 * mean.
 */
export function shownQuality(
  { value, seen, scores }: Pick<CandidateRecord["selection"], "value" | "seen" | "scores">,
  seed: CandidateRecord | undefined,
): number {
  if (seen === undefined) return value;
  const known = seed?.selection.seen === undefined ? [seed?.selection.value ?? null] : [];
  return withinScores(value, [
    ...known,
    ...Object.values({ ...seed?.selection.scores, ...scores }),
  ]);
}

/**
 * Ids of the candidates that no other candidate dominates, ascending. One candidate dominates
 * another if it matches or beats it in every measure and beats it in at least one. Of candidates
 * equal in all measures, only the first is included.
 */
export function paretoFront(candidates: readonly CandidateRecord[]): readonly number[] {
  const measured = candidates
    .map((candidate) => ({
      id: candidate.id,
      value: candidate.selection.value,
      measures: new Map(candidateMeasures(candidate).map((measure) => [measure.name, measure])),
    }))
    .toSorted((one, other) => other.value - one.value || one.id - other.id);
  // Anything dominated is dominated by a member of the front, so comparing with the front is
  // enough.
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

/** False if either lacks a measure. */
function isAtLeastAsGood(one: Measures, other: Measures): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([name, { value, better }]) => {
    const against = other.get(name)?.value;
    if (against === undefined) return false;
    return better === "higher" ? value >= against : value <= against;
  });
}

/**
 * The best of candidates in order of acceptance: the highest on val; of equal ones the one scored
 * on more examples, then the earlier, unless the later supersedes it. `undefined` for none.
 *
 * @param superseding ids of candidates that were accepted to take their parent's place
 */
export function bestOf(
  candidates: readonly CandidateRecord[],
  superseding: ReadonlySet<number> = none,
): CandidateRecord | undefined {
  let best: CandidateRecord | undefined;
  for (const one of candidates) {
    const isReplaced =
      best === undefined ||
      isBetter(one, best) ||
      (superseding.has(one.id) && one.parents.includes(best.id));
    if (isReplaced) best = one;
  }
  return best;
}

const none: ReadonlySet<number> = new Set();

function isBetter(one: CandidateRecord, other: CandidateRecord): boolean {
  const gain = one.selection.value - other.selection.value;
  return gain > 0 || (gain === 0 && scoredIn(one) > scoredIn(other));
}

function scoredIn({ selection }: CandidateRecord): number {
  return Object.values(selection.scores).filter((score) => score !== null).length;
}
