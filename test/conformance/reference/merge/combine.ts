import type { Candidate, Component, RandomSource } from "../../../../src/contract/index.ts";
import type { CandidateRecord } from "../../../../src/optimizer/candidate/candidate-record.ts";

/**
 * Takes each component from the parent that changed it; if both did, from the better one, or at
 * random if they are equal. A component that both share counts as the first parent's.
 */
export function combine(
  {
    one,
    other,
    ancestor,
  }: {
    readonly one: CandidateRecord;
    readonly other: CandidateRecord;
    readonly ancestor: CandidateRecord;
  },
  random: RandomSource,
): { readonly components: Candidate; readonly sources: readonly number[] } {
  const sources = ancestor.components.map((held, index) => {
    const [ofOne, ofOther] = [one.components[index], other.components[index]];
    if (isSame(ofOne, ofOther)) return one;
    if (isSame(held, ofOne)) return other;
    if (isSame(held, ofOther)) return one;
    const gain = one.selection.value - other.selection.value;
    if (gain === 0) return random.choice([one, other]);
    return gain > 0 ? one : other;
  });
  const components = sources.map((source, index) => source.components[index] as Component);
  return { components, sources: sources.map(({ id }) => id) };
}

function isSame(one: Component | undefined, other: Component | undefined): boolean {
  return one?.value === other?.value;
}
