import type { Trace } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";

/** One row of a batch, ready to run. */
export interface BatchJob {
  readonly id: string | number;
  /** Never rejects. */
  run(signal: AbortSignal): Promise<JobOutcome>;
  failedLine(message: string): object;
}

/** How the run of a row ended. */
export type JobOutcome =
  /** The row cannot be run; `why` is a sentence for its line. */
  | { readonly state: "refused"; readonly why: string }
  | {
      readonly state: "ran";
      /** `null` if the run did not end. */
      readonly trace: Trace | null;
      readonly failure: Failure | null;
      /** The line of a run that did not fail. */
      line(): object;
    };
