import type { Text } from "espalier";

/** What one round of retrieval left behind for the next. */
export interface HopNotes {
  readonly hop: number;
  readonly queries: readonly string[];
  readonly keyFindings: string;
  readonly missingInfo: string;
  readonly searchSuggestions: string;
}

/** Notes of rounds as the query generator reads them. */
export function notesText(hops: readonly HopNotes[]): Text<"notes"> {
  if (hops.length === 0) return "No earlier round of retrieval: this is the first.";
  return hops
    .map(({ hop, queries, keyFindings, missingInfo, searchSuggestions }) =>
      [
        `=== Hop ${hop} ===`,
        `Queries used: ${queries.join(" | ")}`,
        `Key findings: ${keyFindings}`,
        `Missing info: ${missingInfo}`,
        `Search suggestions: ${searchSuggestions}`,
      ].join("\n"),
    )
    .join("\n\n");
}
