import type { RandomSource } from "../../contract/index.ts";

/**
 * Where the draws of a run come from. The engine's own give each operation a generator of its own;
 * one generator behind all streams, drawn from in the order of the operations, reproduces runs of
 * engines that work so.
 */
export interface RandomSources {
  /** Tells them apart in the run's description. */
  readonly name: string;
  /** Called once at the start of a run, and again when it is resumed: it then repeats itself. */
  start(seed: number): (stream: string, index: number) => RandomSource;
}
