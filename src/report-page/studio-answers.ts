import type { RunComparison } from "../report/index.ts";
import type { RunState } from "./listing.ts";

/** The answer to a request for sources beside each other. */
export interface StudioComparison {
  readonly comparison: RunComparison;
  /** Its sources as the studio knows them, by key. */
  readonly sources: Readonly<Record<string, StudioSource>>;
  /** Earliest time, in milliseconds from now, at which a new answer is made. */
  readonly againMs: number;
}

export interface StudioSource {
  /** Requests name it by this. */
  readonly id: string;
  /** Whether the studio can show what it did on single examples. */
  readonly hasRollouts: boolean;
  /** Of a run. */
  readonly state?: RunState;
}

/** What a running search has decided, as far as its journal tells. */
export interface RunProgress {
  readonly metricCalls: number;
  readonly tokens: number;
  readonly iteration: number;
  readonly candidates: number;
  /** The best value on val; `null` before the seed has one. */
  readonly best: number | null;
  readonly hasEnded: boolean;
}

/** What the studio tells of by itself. */
export type StudioEvent =
  /**
   * Something was found that was not there, or changed its state. Every page is told a first time:
   * something may have changed just before it listened.
   */
  | { readonly kind: "listing"; readonly isFirst: boolean }
  | { readonly kind: "progress"; readonly run: string; readonly progress: RunProgress };
