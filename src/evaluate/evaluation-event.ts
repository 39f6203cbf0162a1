import type { Failure, Score } from "../contract/index.ts";
import type { EvaluationRow } from "./evaluation.ts";

/** Progress of an evaluation, in order; `example-end` events come in order of completion. */
export type EvaluationEvent =
  | {
      readonly kind: "evaluation-start";
      /** Number of examples. */
      readonly total: number;
      readonly program: string;
      readonly metric: string;
    }
  | {
      /** A fault; the example is run again at the end of the queue. */
      readonly kind: "example-retry";
      readonly exampleId: string;
      readonly failure: Failure;
    }
  | {
      readonly kind: "example-end";
      readonly done: number;
      readonly total: number;
      readonly exampleId: string;
      readonly score: Score["kind"];
      readonly row: EvaluationRow;
      /** Estimated time left; `null` until there is data for an estimate. */
      readonly etaMs: number | null;
    }
  | {
      readonly kind: "evaluation-end";
      readonly state: "completed" | "stopped";
      readonly done: number;
      readonly total: number;
      readonly seconds: number;
    };
