import type { Act } from "./decision.ts";
import type { SearchState } from "./search-state.ts";

/** A search as it goes on, for a stage that decides several times. */
export interface Course {
  /** The state after all decisions so far. */
  readonly state: () => SearchState;
  readonly act: Act;
}
