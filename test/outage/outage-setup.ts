/** What is cut off, when and for how long. Patience is in minutes, as `--patience` takes it. */
export interface OutageSetup {
  /** For the runs of the commands; its owner removes it. */
  readonly folder: string;
  readonly outageMs: number;
  /** Longer than the outage. */
  readonly longPatience: number;
  /** Shorter than the outage. */
  readonly shortPatience: number;
  /** Of `serve`; shorter than the outage. */
  readonly servePatience: number;
  /** Decides when the server is killed. */
  readonly seed: number;
  /** Least duration of a chat call. */
  readonly latencyMs: number;
  /** What `optimize` and `eval` take. */
  readonly study: string;
  /** Of `optimize`, in metric calls. */
  readonly budget: number;
  /** What `batch` and `serve` are asked. */
  readonly questions: readonly string[];
}

/** What one outage did to one command. */
export interface OutageRow {
  readonly command: string;
  readonly patience: number;
  /** Chat calls that the server had received when it was killed. */
  readonly killedAfter: number;
  /** Chat calls of the same work without an outage. */
  readonly ofCalls: number;
  readonly awaySeconds: number;
  /** How the command went. */
  readonly went: string;
  /** What was found equal to the run without an outage. */
  readonly same: readonly string[];
  /** What does not hold; empty if everything does. */
  readonly problems: readonly string[];
}
