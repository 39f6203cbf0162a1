import type { JsonObject } from "../../contract/index.ts";

/** What of a JSON value is shown while it is being written. */
export interface GrowthGuide {
  /** Whether a text here is shown before it is complete. */
  readonly grows: boolean;
  /** The guide of a part; `null`: it is not shown at all. */
  at(key: string | number): GrowthGuide | null;
}

/** A value that is being written. */
export interface Growth {
  /** Takes the next piece of the text; pieces may be split anywhere. */
  add(piece: string): void;
  /** Counts what became visible so far: two equal numbers mean an equal value. */
  readonly changes: number;
  /** Number of entries that a snapshot copies. */
  readonly width: number;
  /** The value so far, which later pieces leave as it is, and the way to what is being written. */
  snapshot(): { readonly value: JsonObject; readonly growing: readonly (string | number)[] };
}
