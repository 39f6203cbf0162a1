import type { RandomSource } from "../../../contract/index.ts";

/**
 * Deals the examples of a split: those that were begun until each has had so many runs, and then
 * each about as often as any other.
 */
export interface ExampleOrder {
  /** Counts a run of each that was not dealt here. */
  begin(ids: readonly string[]): void;
  /** The next examples, fewer if all others are in `known`. */
  next(count: number, known: ReadonlySet<string>, runs: number): readonly string[];
}

const mostRunsToKnow = 4;
/** Of retrieval scores by question, a quarter to a half of the variance of levels was noise. */
const assumedNoiseShare = 0.25;

/**
 * Runs to give an example before others are begun. Where examples differ more than the runs of one,
 * configurations are compared best on examples whose levels are known from several runs.
 *
 * @param noiseShare variance of an example's runs, in units of the variance of levels; `null` if it
 *   is not known yet
 */
export function runsToKnow(noiseShare: number | null): number {
  return mostRunsToKnow * (1 - (noiseShare ?? assumedNoiseShare));
}

/** @param shuffled all examples in the random order of an epoch */
export function exampleOrder(shuffled: (epoch: number) => readonly string[]): ExampleOrder {
  let waiting: readonly string[] = [];
  let epoch = 0;
  const runsOf = new Map<string, number>();
  const begin = (ids: readonly string[]): void => {
    for (const id of ids) runsOf.set(id, (runsOf.get(id) ?? 0) + 1);
  };
  return {
    begin,
    next: (count, known, runs) => {
      const dealt: string[] = [];
      for (const [id, had] of runsOf) {
        if (dealt.length < count && had < runs && !known.has(id)) dealt.push(id);
      }
      const deal = (): void => {
        waiting = waiting.filter((id) => {
          if (dealt.length >= count || known.has(id) || dealt.includes(id)) return true;
          dealt.push(id);
          return false;
        });
      };
      deal();
      if (dealt.length < count) {
        waiting = [...waiting, ...shuffled(epoch++)];
        deal();
      }
      begin(dealt);
      return dealt;
    },
  };
}

/** All examples of a split in the random order of an epoch. */
export function shuffledBy(
  ids: readonly string[],
  random: (epoch: number) => RandomSource,
): (epoch: number) => readonly string[] {
  return (epoch) => random(epoch).shuffle(ids);
}
