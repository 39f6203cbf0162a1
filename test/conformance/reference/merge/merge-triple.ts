import type { RandomSource } from "../../../../src/contract/index.ts";
import type { CandidateRecord } from "../../../../src/optimizer/candidate/candidate-record.ts";
import type { MergeHistory, MergeView } from "./merge-proposal.ts";
import { sameIds } from "./same-ids.ts";

/** Two candidates and a common ancestor. */
export interface MergeTriple {
  /** Ascending. */
  readonly parents: readonly [number, number];
  readonly ancestor: number;
}

/** Number of attempts: draws of two candidates per triple, and triples per merge. */
const attempts = 10;

/**
 * Draws two candidates of the frontier, neither an ancestor of the other, and one of the ancestors
 * over which they can be merged, with a probability proportional to its value. Repeats ten times,
 * skipping attempts in which ten draws of two found no pair.
 */
export function* drawTriples(
  { candidates, frontier }: Pick<MergeView, "candidates" | "frontier">,
  { proposed }: Pick<MergeHistory, "proposed">,
  random: RandomSource,
): Generator<MergeTriple> {
  const valueOf = (id: number): number => candidates[id]?.selection.value ?? 0;
  const pool = [...frontier.frequencies(valueOf).keys()].toSorted((one, other) => one - other);
  // With two candidates in all, one descends from the other.
  if (pool.length < 2 || candidates.length < 3) return;
  const ancestorsOf = ancestry(candidates);
  const isMade = (ancestor: number, parents: readonly number[]): boolean =>
    proposed.some((made) => made.ancestor === ancestor && sameIds(made.parents, parents));

  const shared = ([one, other]: readonly [number, number]): readonly number[] => {
    const [ofOne, ofOther] = [ancestorsOf(one), ancestorsOf(other)];
    if (ofOne.has(other) || ofOther.has(one)) return [];
    return [...ofOne]
      .filter(
        (id) =>
          ofOther.has(id) &&
          !isMade(id, [one, other]) &&
          valueOf(id) <= valueOf(one) &&
          valueOf(id) <= valueOf(other) &&
          hasOneSidedChange(candidates, id, [one, other]),
      )
      .toSorted((earlier, later) => earlier - later);
  };

  const draw = (): MergeTriple | null => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const drawn = random.sample(pool, 2);
      const parents = [Math.min(...drawn), Math.max(...drawn)] as const;
      const ancestors = shared(parents);
      if (ancestors.length === 0) continue;
      return { parents, ancestor: random.weighted(ancestors, weightsOf(ancestors.map(valueOf))) };
    }
    return null;
  };

  for (let attempt = 0; attempt < attempts; attempt++) {
    const triple = draw();
    if (triple !== null) yield triple;
  }
}

/** Ancestors by candidate, looked up once for each. */
function ancestry(
  candidates: readonly Pick<CandidateRecord, "parents">[],
): (id: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  const ancestorsOf = (id: number): ReadonlySet<number> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const found = new Set<number>();
    const open = [...(candidates[id]?.parents ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...(candidates[next]?.parents ?? []));
    }
    known.set(id, found);
    return found;
  };
  return ancestorsOf;
}

/** Whether only one of the two changed some component. */
function hasOneSidedChange(
  candidates: readonly CandidateRecord[],
  ancestor: number,
  parents: readonly [number, number],
): boolean {
  const [held, one, other] = [ancestor, ...parents].map((id) => candidates[id]?.components ?? []);
  return (held ?? []).some(({ value }, index) => {
    const [ofOne, ofOther] = [one?.[index]?.value, other?.[index]?.value];
    return ofOne !== ofOther && (value === ofOne || value === ofOther);
  });
}

/**
 * The values themselves if they can serve as weights; otherwise shifted up to 0, or equal weights
 * if nothing is left.
 */
function weightsOf(values: readonly number[]): readonly number[] {
  const least = Math.min(0, ...values);
  const weights = values.map((value) => value - least);
  return weights.some((weight) => weight > 0) ? weights : values.map(() => 1);
}
