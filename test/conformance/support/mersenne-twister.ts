const length = 624;
const distance = 397;

/** Draws of Matsumoto and Nishimura's MT19937. */
export interface MersenneTwister {
  /** 32 random bits. */
  next(): number;
  /** Uniform in [0, 1), of 53 bits, as CPython and numpy make it. */
  random(): number;
}

/** @param state from `initBySeed` or `initByArray`; the generator changes it */
export function mersenneTwister(state: Uint32Array): MersenneTwister {
  let index = length;
  const next = (): number => {
    if (index === length) {
      twist(state);
      index = 0;
    }
    let word = state[index++] ?? 0;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  };
  return {
    next,
    random: () => {
      const high = next() >>> 5;
      const low = next() >>> 6;
      return (high * 2 ** 26 + low) / 2 ** 53;
    },
  };
}

/** `init_genrand`, by which numpy's `RandomState` begins; `seed` is below 2^32. */
export function initBySeed(seed: number): Uint32Array {
  const state = new Uint32Array(length);
  state[0] = seed;
  for (let index = 1; index < length; index++) {
    state[index] = Math.imul(1_812_433_253, mixed(state, index)) + index;
  }
  return state;
}

/** `init_by_array`, by which CPython's `random.Random` begins. */
export function initByArray(key: readonly number[]): Uint32Array {
  const state = initBySeed(19_650_218);
  let index = 1;
  const step = (factor: number, added: number): void => {
    state[index] = ((state[index] ?? 0) ^ Math.imul(mixed(state, index), factor)) + added;
    index++;
    if (index < length) return;
    state[0] = state[length - 1] ?? 0;
    index = 1;
  };
  const rounds = Math.max(length, key.length);
  for (let round = 0; round < rounds; round++) {
    const at = round % key.length;
    step(1_664_525, (key[at] ?? 0) + at);
  }
  for (let round = 1; round < length; round++) step(1_566_083_941, -index);
  state[0] = 0x80000000;
  return state;
}

/** The word before a place, with its high bits folded onto its low ones. */
function mixed(state: Uint32Array, index: number): number {
  const before = state[index - 1] ?? 0;
  return before ^ (before >>> 30);
}

function twist(state: Uint32Array): void {
  for (let index = 0; index < length; index++) {
    const next = state[(index + 1) % length] ?? 0;
    const joined = ((state[index] ?? 0) & 0x80000000) | (next & 0x7fffffff);
    const twisted = (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    state[index] = (state[(index + distance) % length] ?? 0) ^ twisted;
  }
}
