import type { Json, JsonObject, SplitName } from "../contract/index.ts";
import type { RefusalReason } from "./candidate-record.ts";

/** Why a run ended. */
export type StopReason =
  /** The next iteration does not fit the budget. */
  | "budget"
  /** A candidate is perfect on every example that selects. */
  | "perfect"
  /** Iteration after iteration ended before a new text was tried. */
  | "nothing-new"
  /** The reflection LM failed time after time. */
  | "reflection-failing";

/**
 * What an optimizer decided, in this order; each is in the journal before a listener sees it.
 *
 * 1. `run-start`
 * 2. for the seed: `candidate-evaluated` on val, `budget-spent`, `candidate-accepted`
 * 3. for each iteration: `iteration-start`; then for the parent `candidate-evaluated` on train and
 *    `budget-spent`, unless its scores are known to be perfect; then
 *    - `iteration-skipped`, or
 *    - `candidate-refused` before a rollout, after `budget-spent` for the reflection, or
 *    - `candidate-proposed`, `candidate-evaluated` on train, `budget-spent`, and then
 *      `candidate-refused`, or `candidate-evaluated` on val, `budget-spent` and `candidate-accepted`
 *      (`candidate-refused` when faults left too little of val)
 * 4. `run-end`
 *
 * A budget that ends within a step ends the run there.
 */
export type OptimizerEvent =
  | {
      readonly kind: "run-start";
      readonly format: "espalier-journal/1";
      /** All that the trajectory depends on; a resumed run must match it. */
      readonly run: JsonObject;
    }
  | {
      readonly kind: "iteration-start";
      /** Counted from 1. */
      readonly iteration: number;
      readonly parent: number;
      readonly exampleIds: readonly string[];
    }
  | {
      readonly kind: "candidate-evaluated";
      readonly iteration: number;
      /** Id, or "proposed" for one that may yet be refused. */
      readonly candidate: number | "proposed";
      readonly split: SplitName;
      /** The objective over the scored examples; `null` when none was scored. */
      readonly value: number | null;
      readonly scores: Readonly<Record<string, number | null>>;
      readonly coverage: number;
    }
  | {
      readonly kind: "iteration-skipped";
      readonly iteration: number;
      readonly reason: "all-perfect" | "not-invoked" | "low-coverage";
    }
  | {
      readonly kind: "candidate-proposed";
      readonly iteration: number;
      readonly parent: number;
      readonly component: string;
      readonly value: Json;
    }
  | {
      readonly kind: "candidate-refused";
      readonly iteration: number;
      readonly parent: number;
      readonly component: string;
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly value?: Json;
    }
  | {
      readonly kind: "candidate-accepted";
      readonly iteration: number;
      readonly candidate: number;
      readonly parents: readonly number[];
      readonly value: number;
    }
  | {
      readonly kind: "budget-spent";
      readonly iteration: number;
      readonly metricCalls: number;
      readonly lmCalls: number;
      readonly tokens: number;
    }
  | {
      readonly kind: "run-end";
      readonly reason: StopReason;
      readonly best: number;
      readonly value: number;
    };

/** How far a run is; not in the journal, since it depends on time. */
export interface OptimizerProgress {
  readonly kind: "progress";
  /** Metric calls so far, those of the running step included. */
  readonly metricCalls: number;
  /** The budget's cap; `null` when it has none. */
  readonly cap: number | null;
  /** `null` when there is no cap, or nothing to go by yet. */
  readonly etaMs: number | null;
  /** Best value so far; `null` before the seed is evaluated. */
  readonly best: number | null;
}
