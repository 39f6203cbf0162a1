import type { RunComparison } from "../../report/index.ts";
import type { RunState } from "./listing.ts";

/** The answer to a request for sources beside each other. */
export interface StudioComparison {
  readonly comparison: RunComparison;
  /** The runs among its sources, by key. */
  readonly runs: Readonly<Record<string, { readonly id: string; readonly state: RunState }>>;
  /** Earliest time, in milliseconds from now, at which a new answer is made. */
  readonly againMs: number;
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
  /** Something was found that was not there, or changed its state. */
  | { readonly kind: "listing" }
  | { readonly kind: "progress"; readonly run: string; readonly progress: RunProgress };
