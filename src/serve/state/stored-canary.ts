import type { CanaryRules } from "../comparison/sequential-comparison.ts";

/** Which versions stand against each other. */
export interface CanaryPair {
  /** Id of the chat model. */
  readonly model: string;
  /** Version that answers by right; `declared` for the program as it stands. */
  readonly baseline: string;
  readonly candidate: string;
  /** When the candidate became it: promoted again, it is tried anew. */
  readonly since: string;
}

/** `ended`: the versions stand against each other no more. */
export type CanaryStatus = "running" | "rolled-back" | "ended";

/** A rollout as it is kept. */
export interface StoredCanary extends CanaryPair, CanaryRules {
  readonly id: number;
  /** Share of the keys that the candidate answers; as it was last served. */
  readonly canary: number;
  /** Share of the other keys whose question both answer. */
  readonly shadow: number;
  readonly status: CanaryStatus;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Of a rollback, with figures. */
  readonly why: string | null;
}
