import type { JsonObject } from "../../contract/index.ts";

/** What of a JSON value is shown while it is being written. */
export interface GrowthGuide {
  /** Whether a text here is shown before it is complete. */
  readonly grows: boolean;
  /** Whether `null` stands for an absent value here, and is not shown. @default false */
  readonly isAbsentAsNull?: boolean;
  /** The guide of a part; `null`: it is not shown at all. */
  at(key: string | number): GrowthGuide | null;
}

/** A value that is being written. */
export interface Growth {
  /** Takes the next piece of the text; pieces may be split anywhere. */
  add(piece: string): void;
  /** Counts what became visible so far: two equal numbers mean an equal value. */
  readonly changes: number;
  /**
   * What a snapshot costs: the entries that it copies, and of the text that grows, which whoever
   * reads its end copies, one for each `charactersPerEntry`.
   */
  readonly width: number;
  /** The value so far, which later pieces leave as it is, and the way to what is being written. */
  snapshot(): { readonly value: JsonObject; readonly growing: readonly (string | number)[] };
}

/** Copying a text is that much cheaper than copying entries. */
export const charactersPerEntry = 16;
const entriesPerCharacter = 64;

/** Whether a snapshot is due: by this pace all of them together take time linear in the reply. */
export function isDue({ width }: Growth, unreadCharacters: number): boolean {
  return unreadCharacters * entriesPerCharacter >= width;
}
