import type { Candidate, Component, RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";

/**
 * Each component from whom of the two changed it; where both did, from the better one, or by lot.
 * What both hold counts as the first one's.
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
  const sources = ancestor.components.map((held, place) => {
    const [ofOne, ofOther] = [one.components[place], other.components[place]];
    if (isSame(ofOne, ofOther)) return one;
    if (isSame(held, ofOne)) return other;
    if (isSame(held, ofOther)) return one;
    const gain = one.selection.value - other.selection.value;
    if (gain === 0) return random.choice([one, other]);
    return gain > 0 ? one : other;
  });
  const components = sources.map((source, place) => source.components[place] as Component);
  return { components, sources: sources.map(({ id }) => id) };
}

function isSame(one: Component | undefined, other: Component | undefined): boolean {
  return one?.value === other?.value;
}
