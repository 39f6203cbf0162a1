import type { Text } from "espalier";
import { oneLine } from "espalier";

/** What one round of retrieval passes on to the next. */
export interface HopNotes {
  readonly hop: number;
  readonly queries: readonly string[];
  readonly keyFindings: string;
  readonly missingInfo: string;
  readonly searchSuggestions: string;
}

/**
 * Formats the notes of rounds for the query generator, each on one line, so that none can imitate
 * another round.
 */
export function notesText(hops: readonly HopNotes[]): Text<"notes"> {
  if (hops.length === 0) return "No earlier round of retrieval: this is the first.";
  return hops
    .map(({ hop, queries, keyFindings, missingInfo, searchSuggestions }) =>
      [
        `=== Hop ${hop} ===`,
        `Queries used: ${queries.map(oneLine).join(" | ")}`,
        `Key findings: ${oneLine(keyFindings)}`,
        `Missing info: ${oneLine(missingInfo)}`,
        `Search suggestions: ${oneLine(searchSuggestions)}`,
      ].join("\n"),
    )
    .join("\n\n");
}
