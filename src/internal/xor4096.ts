/**
 * Brent's xor4096 (R. P. Brent, "Some long-period random number generators using shifts and xors",
 * 2007; period 2^4128), seeded with a string as in `lib/xor4096.js` of seedrandom 3.0.5 (David Bau,
 * MIT licence), whose draws it repeats bit by bit. Our own, since that one is loaded through
 * CommonJS, which costs a search more than all its draws.
 *
 * @returns draws in [0, 1), multiples of 2^-32
 */
export function xor4096(seed: string): () => number {
  let state: State | undefined;
  // Many sources are made for a decision that then needs no draw.
  return () => (next((state ??= seeded(seed))) >>> 0) / 2 ** 32;
}

interface State {
  /** 128 words, used as a ring. */
  readonly words: number[];
  /** Index of the word drawn last. */
  place: number;
  weyl: number;
}

const weylStep = 0x61c88647;

function next(state: State): number {
  const weyl = (state.weyl + weylStep) | 0;
  state.weyl = weyl;
  state.place = (state.place + 1) & 127;
  return (turn(state.words, state.place) + (weyl ^ (weyl >>> 16))) | 0;
}

/** Replaces a word of the ring, and returns it. */
function turn(words: number[], place: number): number {
  let far = words[(place + 33) & 127] as number;
  let near = words[place] as number;
  far ^= far << 13;
  near ^= near << 17;
  far ^= far >>> 15;
  near ^= near >>> 12;
  return (words[place] = far ^ near);
}

function seeded(seed: string): State {
  const key = `${seed}\0`;
  // Not an Int32Array, whose memory would lie outside of the heap.
  const words = Array.from({ length: 128 }, () => 0);
  let weyl = 0;
  let mixed = 0;
  let zeroes = 0;
  const end = Math.max(128, key.length);
  for (let round = -32; round < end; round++) {
    mixed ^= key.charCodeAt((round + 32) % key.length);
    if (round === 0) weyl = mixed;
    mixed ^= mixed << 10;
    mixed ^= mixed >>> 15;
    mixed ^= mixed << 4;
    mixed ^= mixed >>> 13;
    if (round < 0) continue;
    weyl = (weyl + weylStep) | 0;
    const place = round & 127;
    const word = (words[place] as number) ^ (mixed + weyl);
    words[place] = word;
    zeroes = word === 0 ? zeroes + 1 : 0;
  }
  // A ring of zeroes would stay one.
  if (zeroes >= 128) words[key.length & 127] = -1;
  stir(words);
  return { words, place: 127, weyl };
}

function stir(words: number[]): void {
  for (let round = 0; round < 4 * 128; round++) turn(words, round & 127);
}
