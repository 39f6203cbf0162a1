import type { ActsOn, Environment } from "./environment.ts";

/** A family of tasks, under the key that selects it. */
export interface Shape<TEnvironment = Environment> {
  readonly key: string;
  readonly about: string;
  /** Caps on metric calls. */
  readonly budgets: readonly number[];
  /** How much its own mock acts on. */
  readonly actsOn: ActsOn;
  /** Tasks for development, and runs of each. */
  readonly tasks: number;
  readonly runsOfTask: number;
  /** Cap on texts by budget; absent: none. */
  readonly texts?: Readonly<Record<number, number>>;
  readonly hasSeveralTexts: boolean;
  /** Whether peers that others have shown to be weaker take part, too. @default false */
  readonly hasEveryPeer?: boolean;
  /** What it wants: a reason in a sentence if its tasks are missing. */
  readonly isMissing?: string;
  readonly environment: (task: number, actsOn: ActsOn) => TEnvironment;
}
