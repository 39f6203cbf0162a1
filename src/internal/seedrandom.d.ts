/** One of seedrandom's generators by itself, which `@types/seedrandom` does not declare. */
declare module "seedrandom/lib/xor4096.js" {
  /** Draws in [0, 1), multiples of 2^-32. */
  export default function xor4096(seed: string): () => number;
}
