/** What one search found and what it took. */
export interface RunFigures {
  readonly task: number;
  readonly run: number;
  /** True means of the texts that it returned. */
  readonly val: number;
  readonly test: number;
  readonly metricCalls: number;
  readonly texts: number;
  readonly wallMs: number;
  /** Why it ended; absent if the engine does not say. */
  readonly ended?: string;
  /** Absent where the environment's time cannot be told from the engine's. */
  readonly engine?: EngineTime;
}

/** Time of the engine itself: all but that of the environment. */
export interface EngineTime {
  /** Metric calls, with those beyond the cap. */
  readonly calls: number;
  readonly candidates: number;
  readonly wallMs: number;
  /** Leaves out waiting for the disk. */
  readonly cpuMs: number;
}

export interface SearchLimits {
  readonly metricCalls: number;
  /** @default none */
  readonly texts?: number | undefined;
  /** Number of the run on its task; it seeds the search. */
  readonly run: number;
}
