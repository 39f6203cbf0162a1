// The package itself loads all seven of its generators, and `node:crypto`.
import xor4096 from "seedrandom/lib/xor4096.js";

/**
 * Random draws of one operation. A generator belongs to one (seed, stream, index) triple, so an
 * operation's draws never depend on which operations ran before it.
 */
export interface RandomSource {
  /** Uniform in [0, 1). */
  random(): number;
  /** Uniform integer in [0, limit); `limit` is at least 1. */
  below(limit: number): number;
  /** One element; throws a `RangeError` for an empty list. */
  choice<TItem>(items: readonly TItem[]): TItem;
  /** A new, shuffled list. */
  shuffle<TItem>(items: readonly TItem[]): TItem[];
  /** `count` elements without replacement, in random order. */
  sample<TItem>(items: readonly TItem[], count: number): TItem[];
  /**
   * One element with probability proportional to its weight (finite, at least 0, some positive).
   */
  weighted<TItem>(items: readonly TItem[], weights: readonly number[]): TItem;
}

/**
 * Counter-based randomness: the generator of operation `index` of a named stream. It depends only
 * on the three arguments, so a resumed run, or one with different concurrency, draws the same.
 * Generator: seedrandom's xor4096 (Brent 2007, period 2^4128), keyed by the three arguments; the
 * fastest of that package's generators whose streams show no correlation between indices.
 */
export function randomSource(seed: number, stream: string, index = 0): RandomSource {
  return drawFrom(xor4096(`${seed}/${stream}/${index}`));
}

/** Everything a `RandomSource` offers, over any uniform generator on [0, 1). */
export function drawFrom(random: () => number): RandomSource {
  const below = (limit: number): number => Math.floor(random() * limit);

  const choice = <TItem>(items: readonly TItem[]): TItem => {
    if (items.length === 0) throw new RangeError("Cannot choose from an empty list.");
    return items[below(items.length)] as TItem;
  };

  // Fisher-Yates from the end; stops when the last `count` places are drawn.
  const drawLast = <TItem>(items: readonly TItem[], count: number): TItem[] => {
    const pool = [...items];
    const end = Math.max(0, pool.length - count);
    for (let index = pool.length - 1; index >= end; index--) {
      const drawn = below(index + 1);
      [pool[index], pool[drawn]] = [pool[drawn] as TItem, pool[index] as TItem];
    }
    return pool.slice(end);
  };

  const weighted = <TItem>(items: readonly TItem[], weights: readonly number[]): TItem => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (items.length !== weights.length || !(total > 0) || !Number.isFinite(total)) {
      throw new RangeError("Weights must match the items, be finite, and not all be zero.");
    }
    let left = random() * total;
    for (const [index, item] of items.entries()) {
      left -= weights[index] ?? 0;
      if (left < 0) return item;
    }
    // Rounding can leave a remainder, which goes to the last item with weight.
    return items[weights.findLastIndex((weight) => weight > 0)] as TItem;
  };

  return {
    random,
    below,
    choice,
    shuffle: (items) => drawLast(items, items.length),
    sample: (items, count) => drawLast(items, Math.min(count, items.length)),
    weighted,
  };
}
