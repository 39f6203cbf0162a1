import type { RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate-record.ts";
import type { SearchView } from "../strategy/strategy.ts";
import type { MergeHistory } from "./merge-proposal.ts";

/** Two candidates and whom they both come from. */
export interface MergeTriple {
  /** Ascending. */
  readonly parents: readonly [number, number];
  readonly ancestor: number;
}

const attempts = 10;

/**
 * Draws two candidates of the frontier, neither an ancestor of the other, and one of the ancestors that
 * they can be merged over, with a chance proportional to its value. `null` when ten draws of two found
 * none.
 */
export function drawTriple(
  { candidates, frontier }: Pick<SearchView, "candidates" | "frontier">,
  { proposed }: Pick<MergeHistory, "proposed">,
  random: RandomSource,
): MergeTriple | null {
  const valueOf = (id: number): number => candidates[id]?.selection.value ?? 0;
  const pool = [...frontier.frequencies(valueOf).keys()].toSorted((one, other) => one - other);
  if (pool.length < 2 || candidates.length < 3) return null;
  const isMade = (ancestor: number, parents: readonly number[]): boolean =>
    proposed.some((made) => made.ancestor === ancestor && `${made.parents}` === `${parents}`);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const parents = random.sample(pool, 2).toSorted((one, other) => one - other) as [
      number,
      number,
    ];
    const [one, other] = parents;
    const ofOne = ancestorsOf(candidates, one);
    const ofOther = ancestorsOf(candidates, other);
    if (ofOne.has(other) || ofOther.has(one)) continue;
    const shared = [...ofOne]
      .filter((id) => ofOther.has(id))
      .filter((id) => !isMade(id, parents))
      .filter((id) => valueOf(id) <= valueOf(one) && valueOf(id) <= valueOf(other))
      .filter((id) => hasOneSidedChange(candidates, id, parents))
      .toSorted((one, other) => one - other);
    if (shared.length > 0) {
      return { parents, ancestor: random.weighted(shared, weightsOf(shared.map(valueOf))) };
    }
  }
  return null;
}

function ancestorsOf(
  candidates: readonly Pick<CandidateRecord, "parents">[],
  id: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [...(candidates[id]?.parents ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(candidates[next]?.parents ?? []));
  }
  return found;
}

/** Whether some component was changed by one of the two alone. */
function hasOneSidedChange(
  candidates: readonly CandidateRecord[],
  ancestor: number,
  parents: readonly [number, number],
): boolean {
  const [held, one, other] = [ancestor, ...parents].map((id) => candidates[id]?.components ?? []);
  return (held ?? []).some(({ value }, place) => {
    const [ofOne, ofOther] = [one?.[place]?.value, other?.[place]?.value];
    return ofOne !== ofOther && (value === ofOne || value === ofOther);
  });
}

/** The values themselves where they can be weights; else moved up to 0, or alike if nothing is left. */
function weightsOf(values: readonly number[]): readonly number[] {
  const least = Math.min(0, ...values);
  const weights = values.map((value) => value - least);
  return weights.some((weight) => weight > 0) ? weights : values.map(() => 1);
}
