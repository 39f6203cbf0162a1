import type { Passage, Text, Turn } from "espalier";

/** The input of Task B. */
export interface GenerationInput {
  readonly question: Text<"question">;
  readonly history: readonly Turn[];
  readonly passages: readonly Passage[];
}

/** A turn, and the facts that its answer may use instead of the passages. */
export interface Evidence extends Omit<GenerationInput, "passages"> {
  readonly spans: readonly Text<"span">[];
}
