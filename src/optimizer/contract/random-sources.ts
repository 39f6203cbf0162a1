import type { RandomSource } from "../../contract/index.ts";

/**
 * The source of a run's random draws. The engine's default gives each operation its own generator.
 * A single generator behind all streams, drawn from in the order of operations, reproduces runs of
 * engines that work that way.
 */
export interface RandomSources {
  /** Identifies the source in the run's description. */
  readonly name: string;
  /** Called once at the start of a run and again on resume; it then repeats the same draws. */
  start(seed: number): (stream: string, index: number) => RandomSource;
}
