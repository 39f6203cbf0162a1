import type { RandomSource } from "espalier/optimizer";

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
  const next = mersenneTwister(wordsOf(seed));

  const getrandbits = (bits: number): number => next() >>> (32 - bits);

  const random = (): number => {
    const high = next() >>> 5;
    const low = next() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };

  const below = (limit: number): number => {
    const bits = 32 - Math.clz32(limit);
    for (;;) {
      const drawn = getrandbits(bits);
      if (drawn < limit) return drawn;
    }
  };

  const shuffle = <TItem>(items: readonly TItem[]): TItem[] => {
    const list = [...items];
    for (let place = list.length - 1; place > 0; place--) {
      const drawn = below(place + 1);
      [list[place], list[drawn]] = [list[drawn] as TItem, list[place] as TItem];
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
    return [...taken].map((place) => items[place] as TItem);
  };

  const weighted = <TItem>(items: readonly TItem[], weights: readonly number[]): TItem => {
    let total = 0;
    const cumulative = weights.map((weight) => (total += weight));
    if (!(total > 0)) throw new RangeError("Total of weights must be greater than zero.");
    const drawn = random() * total;
    const place = cumulative.findIndex((sum) => drawn < sum);
    return items[place === -1 ? items.length - 1 : place] as TItem;
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

const length = 624;
const distance = 397;

/** MT19937 begun with `init_by_array`; gives 32 random bits a call. */
function mersenneTwister(key: readonly number[]): () => number {
  const state = initByArray(key);
  let place = length;
  return () => {
    if (place === length) {
      twist(state);
      place = 0;
    }
    let word = state[place++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  };
}

function initByArray(key: readonly number[]): Uint32Array {
  const state = new Uint32Array(length);
  state[0] = 19_650_218;
  for (let place = 1; place < length; place++) {
    state[place] = Math.imul(1_812_433_253, mixed(state, place)) + place;
  }
  let place = 1;
  const step = (factor: number, added: number): void => {
    state[place] = ((state[place] ?? 0) ^ Math.imul(mixed(state, place), factor)) + added;
    place++;
    if (place < length) return;
    state[0] = state[length - 1] ?? 0;
    place = 1;
  };
  const rounds = Math.max(length, key.length);
  for (let round = 0; round < rounds; round++) {
    const at = round % key.length;
    step(1_664_525, (key[at] ?? 0) + at);
  }
  for (let round = 1; round < length; round++) step(1_566_083_941, -place);
  state[0] = 0x80000000;
  return state;
}

/** The word before a place, with its high bits folded onto its low ones. */
function mixed(state: Uint32Array, place: number): number {
  const before = state[place - 1] ?? 0;
  return before ^ (before >>> 30);
}

function twist(state: Uint32Array): void {
  for (let place = 0; place < length; place++) {
    const next = state[(place + 1) % length] ?? 0;
    const joined = ((state[place] ?? 0) & 0x80000000) | (next & 0x7fffffff);
    const twisted = (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    state[place] = (state[(place + distance) % length] ?? 0) ^ twisted;
  }
}
