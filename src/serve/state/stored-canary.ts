import type { CanaryRules } from "../comparison/sequential-comparison.ts";

/** The two versions of a trial. */
export interface CanaryPair {
  /** Id of the chat model. */
  readonly model: string;
  /** The default version; `declared` for the program as declared. */
  readonly baseline: string;
  readonly candidate: string;
  /** When the candidate became one: promoted again, it gets a new trial. */
  readonly since: string;
}

/** `ended`: the trial of the two versions is over without a rollback. */
export type CanaryStatus = "running" | "rolled-back" | "ended";

/** A rollout as stored. */
export interface StoredCanary extends CanaryPair, CanaryRules {
  readonly id: number;
  /** Share of the keys that the candidate answers, as last configured. */
  readonly canary: number;
  /** Share of the other keys whose question both versions answer. */
  readonly shadow: number;
  readonly status: CanaryStatus;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Reason of a rollback, with figures. */
  readonly why: string | null;
}
