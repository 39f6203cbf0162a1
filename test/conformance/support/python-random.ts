import type { RandomSource } from "espalier/optimizer";
import { initByArray, mersenneTwister } from "./mersenne-twister.ts";

/**
 * Draws as CPython's `random.Random` does: Matsumoto and Nishimura's MT19937 and CPython's use of
 * it.
 */
export interface PythonRandom extends RandomSource {
  /** `bits` from 1 to 32. */
  getrandbits(bits: number): number;
}

/** `seed` is a whole number from 0 to 2^53 - 1. */
export function pythonRandom(seed: number): PythonRandom {
  const { next, random } = mersenneTwister(initByArray(wordsOf(seed)));

  const getrandbits = (bits: number): number => next() >>> (32 - bits);

  const below = (limit: number): number => {
    const bits = 32 - Math.clz32(limit);
    for (;;) {
      const drawn = getrandbits(bits);
      if (drawn < limit) return drawn;
    }
  };

  const shuffle = <TItem>(items: readonly TItem[]): TItem[] => {
    const list = [...items];
    for (let index = list.length - 1; index > 0; index--) {
      const drawn = below(index + 1);
      [list[index], list[drawn]] = [list[drawn] as TItem, list[index] as TItem];
    }
    return list;
  };

  const sample = <TItem>(items: readonly TItem[], count: number): TItem[] =>
    items.length <= poolUpTo(count) ? fromPool(items, count) : fromSet(items, count);

  const fromPool = <TItem>(items: readonly TItem[], count: number): TItem[] => {
    const pool = [...items];
    return Array.from({ length: count }, (_, done) => {
      const drawn = below(pool.length - done);
      const item = pool[drawn] as TItem;
      pool[drawn] = pool[pool.length - done - 1] as TItem;
      return item;
    });
  };

  const fromSet = <TItem>(items: readonly TItem[], count: number): TItem[] => {
    const taken = new Set<number>();
    while (taken.size < count) {
      let drawn = below(items.length);
      while (taken.has(drawn)) drawn = below(items.length);
      taken.add(drawn);
    }
    return [...taken].map((index) => items[index] as TItem);
  };

  const weighted = <TItem>(items: readonly TItem[], weights: readonly number[]): TItem => {
    let total = 0;
    const cumulative = weights.map((weight) => (total += weight));
    if (!(total > 0)) throw new RangeError("Total of weights must be greater than zero.");
    const drawn = random() * total;
    const index = cumulative.findIndex((sum) => drawn < sum);
    return items[index === -1 ? items.length - 1 : index] as TItem;
  };

  return {
    getrandbits,
    random,
    below,
    choice: (items) => items[below(items.length)] as (typeof items)[number],
    shuffle,
    sample,
    weighted,
  };
}

/** Longest list that `sample` copies rather than remembering what it drew. */
function poolUpTo(count: number): number {
  return count <= 5 ? 21 : 21 + 4 ** Math.ceil(Math.log(count * 3) / Math.log(4));
}

/** Of 32 bits, the lowest first. */
function wordsOf(seed: number): readonly number[] {
  const high = Math.floor(seed / 2 ** 32);
  return high === 0 ? [seed >>> 0] : [seed >>> 0, high];
}
