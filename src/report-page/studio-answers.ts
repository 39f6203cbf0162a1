import type { RunComparison, Headline } from "../report/index.ts";
import type { SplitName } from "../contract/index.ts";
import type { Spent } from "../optimizer/index.ts";
import type { Interval } from "../statistics/index.ts";

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

/** What a studio found below its folder: what its first page shows. Plain JSON. */
export interface Listing {
  /** The folder as it was given. */
  readonly folder: string;
  /** In words, what the limits of the search left out; `null` if nothing. */
  readonly leftOut: string | null;
  /** Whether figures are still being read: ask again. */
  readonly isPartial: boolean;
  /** Newest first, as everything here. */
  readonly runs: readonly ListedRun[];
  readonly results: readonly ListedResult[];
  /** Outside of runs and registries. */
  readonly artifacts: readonly ListedArtifact[];
  readonly registries: readonly ListedRegistry[];
  readonly servers: readonly ListedServer[];
}

/** Something that was found. */
interface Listed {
  /** Its path below the folder, with `/`; requests name it by this. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly changedAt: string;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/**
 * - `running`: a process works on it; `stopping`: that one was asked to end it.
 * - `ended`: the search came to its end; `stopped`: it was asked to end, and can be resumed.
 * - `interrupted`: it has not ended, and no process of this machine works on it.
 */
export type RunState = "running" | "stopping" | "ended" | "stopped" | "interrupted";

export interface ListedRun extends Listed {
  readonly state: RunState;
  /** Whether its folder has an artifact. */
  readonly hasArtifact: boolean;
  /** Absent while they have not been read. */
  readonly figures?: RunFigures;
}

export interface RunFigures {
  readonly optimizer: string;
  readonly seed: number;
  readonly program?: string;
  readonly lm?: string;
  readonly isRehearsal: boolean;
  /** The best candidate, on the split that selects. */
  readonly best: {
    readonly candidate: number;
    readonly value: number;
    readonly interval: Interval | null;
    /** Examples that `value` rests on, if it is an estimate. */
    readonly seen?: number;
  } | null;
  /**
   * Against the program that the run started from; on test where it was reported on. `unchanged`
   * where the best is that program.
   */
  readonly claim: Claim | "unchanged" | null;
  readonly spent: Spent;
  /** US dollars; `null` without prices. */
  readonly costUsd: number | null;
  /** Wall time of all processes; `null` where unknown. */
  readonly elapsedMs: number | null;
  /** The cap on metric calls, if there is one. */
  readonly metricCallsCap: number | null;
}

export type Claim = Pick<
  Headline,
  "split" | "metric" | "value" | "difference" | "interval" | "verdict" | "words" | "fell"
>;

export interface ListedResult extends Listed {
  readonly figures?: {
    readonly study: string;
    readonly program: string;
    readonly split: SplitName;
    readonly lm: string;
    readonly isRehearsal: boolean;
    readonly metric: string;
    readonly value: number | null;
    readonly interval: Interval | null;
  };
}

export interface ListedArtifact extends Listed {
  readonly figures?: ArtifactFigures;
}

export interface ArtifactFigures {
  readonly program: string;
  /** The first 12 digits of its content hash. */
  readonly version: string;
  /** What made it: optimizer and seed; absent if no optimizer changed it. */
  readonly madeBy?: string;
  readonly lm: string;
  readonly isRehearsal: boolean;
  readonly scores: readonly {
    readonly split: SplitName;
    readonly metric: string;
    readonly value: number | null;
    readonly interval: Interval | null;
  }[];
}

export interface ListedRegistry {
  /** Its folder; empty for the studio's own folder. */
  readonly id: string;
  readonly programs: readonly {
    readonly name: string;
    readonly versions: readonly (ListedArtifact & {
      readonly version: string;
      /** `production`, `candidate`. */
      readonly aliases: readonly string[];
    })[];
    /** Moves of its aliases, the newest first; at most 20. */
    readonly moves: readonly {
      readonly alias: string;
      readonly kind: "promote" | "rollback" | "withdraw";
      readonly from: string | null;
      readonly to: string | null;
      readonly at: string;
      readonly by?: string;
      readonly why?: string;
    }[];
  }[];
}

/** A file that a server keeps. */
export type ListedServer = Listed &
  (
    | { readonly kind: "state"; readonly trials: readonly ListedTrial[] }
    | { readonly kind: "feedback"; readonly preferences: readonly ListedPreference[] }
  );

/** A candidate that a server tries, by canary or in the shadow of production. */
export interface ListedTrial {
  readonly model: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly status: "running" | "rolled-back" | "ended";
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly why: string | null;
  /** Shares of the requests, in [0, 1]. */
  readonly canary: number;
  readonly shadow: number;
  /** Users and conversations that count, and their mean score. */
  readonly arms: {
    readonly [Arm in "baseline" | "candidate"]: {
      readonly keys: number;
      readonly meanScore: number | null;
    };
  };
  readonly comparisons: number;
  /** Each decides at `decides`. */
  readonly evidence: { readonly worse: number; readonly better: number; readonly decides: number };
  readonly finding: "shown worse" | "shown better" | "open";
}

/** Ratings of one version of a chat model. */
export interface ListedPreference {
  readonly model: string;
  readonly version: string;
  readonly completions: number;
  readonly up: number;
  readonly down: number;
  /** Share of `up`; `null` without ratings. */
  readonly share: { readonly value: number; readonly interval: Interval } | null;
}
