import type { Component, RandomSource } from "../../../contract/index.ts";
import type { Features } from "../model/observation.ts";

/** One value of a component, and what the score model sees of it. */
export interface Setting {
  readonly component: Component;
  /** Identifies it among the settings of its lever. */
  readonly key: string;
  /** What it adds to the program's own value, on an example. */
  featuresOn(exampleId: string): Features;
}

/** A component that the search may change. */
export interface Lever {
  /** The program's own value; it has no features. */
  readonly initial: Setting;
  /** The setting whose effects are the most on average over some examples. */
  best(effects: Float64Array, exampleIds: readonly string[]): Setting;
  /** Of a number, its lowest and highest; of a choice, two other options. @default none */
  readonly extremes?: readonly Setting[];
  /** Any setting. */
  drawn(random: RandomSource): Setting;
}

/** A setting of each lever, in the levers' order. */
export type Configuration = readonly Setting[];

export function configurationKey(configuration: Configuration): string {
  return configuration.map(({ key }) => key).join("\n");
}
