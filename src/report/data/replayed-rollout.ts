import type { Blame, Failure, JsonObject, Score, Trace } from "../../contract/index.ts";

/**
 * One run of a candidate on one example, repeated from recorded replies: no LM was asked. Large, so
 * that a comparison holds only those that were asked for.
 */
export interface ReplayedRollout {
  /** Key of the source, id of the candidate in it, and place of the example. */
  readonly source: string;
  readonly candidate: number;
  readonly example: number;
  /** Number of runs of this example, if not 1; this is then the lowest of them. */
  readonly runs?: number;
  /** Absent where `missing` says why. */
  readonly score?: Score["kind"];
  readonly value?: number;
  readonly feedback?: string;
  readonly blame?: readonly Blame[];
  readonly failure?: Failure;
  /** What the program returned. */
  readonly output?: JsonObject;
  /**
   * Everything that the run did; the exact messages of a predictor are in its `calls`. Ends where a
   * reply is missing.
   */
  readonly trace?: Trace;
  /** Why it could not be repeated in full, as a sentence: a reply is not on file, for example. */
  readonly missing?: string;
  /**
   * Whether the replayed score differs from the recorded one. The program, its metric or its data
   * has changed since. @default false
   */
  readonly isDifferent?: boolean;
}
