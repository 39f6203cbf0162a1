import type { TunableProgram } from "../../program/index.ts";
import type { OptimizerRun } from "../optimizer.ts";
import type { GepaSettings } from "./gepa-settings.ts";

/** What all iterations of a run share. */
export interface Iteration {
  readonly run: OptimizerRun;
  readonly settings: GepaSettings;
  readonly program: TunableProgram<never, unknown>;
  /** Example ids. */
  readonly train: readonly string[];
  readonly val: readonly string[];
}
