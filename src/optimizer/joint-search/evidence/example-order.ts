import type { RandomSource } from "../../../contract/index.ts";

/** Deals the examples of a split so that each comes up about as often as any other. */
export interface ExampleOrder {
  /** The next examples, fewer if all others are in `known`. */
  next(count: number, known: ReadonlySet<string>): readonly string[];
}

/** @param shuffled all examples in the random order of an epoch */
export function exampleOrder(shuffled: (epoch: number) => readonly string[]): ExampleOrder {
  let waiting: readonly string[] = [];
  let epoch = 0;
  return {
    next: (count, known) => {
      const dealt: string[] = [];
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
