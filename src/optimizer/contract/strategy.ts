import type { JsonObject } from "../../contract/index.ts";

/**
 * Common to all strategies: a name, and the settings that change its behaviour, for the run's
 * description.
 */
export interface Strategy {
  readonly name: string;
  readonly settings?: JsonObject;
}
