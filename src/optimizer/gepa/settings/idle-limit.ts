import { checkCount } from "../strategy/check-range.ts";

/** After how many idle iterations a run ends. */
export interface IdleLimit {
  /** For the run's description: the number given, or `null` for the default. */
  readonly name: number | "never" | null;
  /** Given the number of training examples. */
  readonly iterations: (train: number) => number;
}

/** The meaning of `stop.maxIdleIterations`; its default is two epochs, at least 30 iterations. */
export function idleLimit(given: number | null | undefined, minibatchSize: number): IdleLimit {
  if (given === null) return { name: "never", iterations: () => Infinity };
  if (given === undefined) {
    return {
      name: null,
      iterations: (train) => Math.max(30, 2 * Math.ceil(train / minibatchSize)),
    };
  }
  checkCount("maxIdleIterations", given);
  return { name: given, iterations: () => given };
}
