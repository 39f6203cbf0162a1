import { EspalierError } from "../../../errors/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";

/**
 * What candidates are compared on, one by one: each val example, or each of these and each
 * objective's mean. As in gepa 0.1.4, which has others, too.
 */
export type FrontierKind = "instance" | "hybrid";

export const frontierKinds: readonly FrontierKind[] = ["instance", "hybrid"];

/** The best score at one thing compared, and the candidates that reach it. */
export interface Front {
  readonly key: string;
  readonly best: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Candidates that are best at something. */
export interface Frontier {
  fronts(): readonly Front[];
  /** Costs one look at each thing compared. Ids must ascend. */
  add(candidate: Pick<CandidateRecord, "id" | "selection">): void;
  /** `frequenciesIn` its fronts, recomputed only after an `add`. */
  frequencies(valueOf: (id: number) => number): ReadonlyMap<number, number>;
}

export function frontier(kind: FrontierKind): Frontier {
  const fronts = new Map<string, { key: string; best: number; ids: number[] }>();
  let frequencies: ReadonlyMap<number, number> | undefined;
  const keys = { example: new Map<string, string>(), objective: new Map<string, string>() };
  // Every candidate asks for the same ones.
  const keyOf = (group: keyof typeof keys, name: string): string => {
    let key = keys[group].get(name);
    if (key === undefined) keys[group].set(name, (key = `${group}\n${name}`));
    return key;
  };
  return {
    fronts: () => [...fronts.values()],
    add: ({ id, selection: { scores, objectives } }) => {
      if (kind === "hybrid" && objectives === undefined) throw objectivesMissing(id);
      frequencies = undefined;
      const compare = (group: keyof typeof keys, name: string, score: number): void => {
        const key = keyOf(group, name);
        const held = fronts.get(key);
        if (held === undefined || score > held.best) {
          fronts.set(key, { key, best: score, ids: [id] });
        } else if (score === held.best) held.ids.push(id);
      };
      for (const [exampleId, score] of Object.entries(scores)) {
        if (score !== null) compare("example", exampleId, score);
      }
      if (kind !== "hybrid") return;
      for (const [name, mean] of Object.entries(objectives ?? {})) compare("objective", name, mean);
    },
    frequencies: (valueOf) => {
      if (frequencies !== undefined) return frequencies;
      frequencies = frequenciesIn(
        [...fronts.values()].map(({ ids }) => ids),
        valueOf,
      );
      return frequencies;
    },
  };
}

/**
 * The number of fronts that each candidate is in, after removing, worst first, candidates that no
 * front needs; in the order in which the fronts name them.
 */
export function frequenciesIn(
  fronts: readonly (readonly number[])[],
  valueOf: (id: number) => number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of withoutDominated(fronts, valueOf).flat()) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function objectivesMissing(id: number): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "Frontier `hybrid` compares objectives, but the metric returned none",
    expected: "scores with `objectives`, or frontier `instance`",
    got: `candidate ${id} without objectives`,
  });
}

/**
 * Removes candidates that no example needs. Worst first (by `valueOf`, then in the order in which
 * the fronts name them), a candidate is removed if every front it is in contains another remaining
 * candidate. Returns what is left of each front.
 *
 * As in gepa 0.1.4 (`gepa_utils.py`), but with a front's ids in ascending order where gepa iterates
 * a set. gepa restarts the search after each removal; one pass gives the same result, since a
 * candidate that cannot be removed now cannot be removed after others are gone either.
 */
export function withoutDominated(
  fronts: readonly (readonly number[])[],
  valueOf: (id: number) => number,
): readonly (readonly number[])[] {
  const placesOf = new Map<number, number[]>();
  for (const [index, ids] of fronts.entries()) {
    for (const id of ids) {
      const places = placesOf.get(id) ?? [];
      places.push(index);
      placesOf.set(id, places);
    }
  }
  const left = fronts.map(({ length }) => length);
  const gone = new Set<number>();
  const worstFirst = [...placesOf.keys()].toSorted((one, other) => valueOf(one) - valueOf(other));
  for (const id of worstFirst) {
    const places = placesOf.get(id) ?? [];
    if (places.some((index) => (left[index] ?? 0) < 2)) continue;
    gone.add(id);
    for (const index of places) left[index] = (left[index] ?? 0) - 1;
  }
  return fronts.map((ids) => ids.filter((id) => !gone.has(id)));
}
