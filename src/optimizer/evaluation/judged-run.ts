import type { Candidate, Score, SplitName, Trace } from "../../contract/index.ts";

/** One run of a candidate on an example as it happened, with all that its record leaves out. */
export interface JudgedRun {
  /** All components. */
  readonly candidate: Candidate;
  readonly split: SplitName;
  readonly exampleId: string;
  readonly score: Score;
  readonly trace: Trace;
  /** `false`: run by a teacher, with gold in place of a part, or at another temperature. */
  readonly isOwn: boolean;
}
