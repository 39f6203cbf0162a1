import type { Passage } from "espalier";

export interface CitationScores {
  /** Ids of the documents that the answer cites, in the order of their numbers. */
  readonly cited: readonly string[];
  /** Cited numbers that belong to no document of the context. */
  readonly unknown: readonly number[];
  /**
   * Share of relevant documents among the cited; 0 if nothing is cited although something is
   * relevant.
   */
  readonly precision: number;
  /** Share of cited documents among the relevant. */
  readonly recall: number;
  readonly f1: number;
}

/**
 * Which documents an answer cites, as `[2]` or `[1, 3]`, and how well, compared with the relevant
 * ones. A number that belongs to no document is a wrong citation. If nothing is relevant, citing
 * nothing is right.
 */
export function citationScores(
  answer: string,
  citations: readonly Passage[],
  relevant: readonly string[],
): CitationScores {
  const numbers = [...answer.matchAll(citationMark)].flatMap(([, list = ""]) =>
    list.split(",").map(Number),
  );
  const distinct = [...new Set(numbers)].toSorted((left, right) => left - right);
  const cited = distinct.flatMap((number) => citations[number - 1]?.id ?? []);
  const unknown = distinct.filter((number) => citations[number - 1] === undefined);
  if (relevant.length === 0) {
    const isRight = distinct.length === 0 ? 1 : 0;
    return { cited, unknown, precision: isRight, recall: 1, f1: isRight };
  }
  const hits = relevant.filter((id) => cited.includes(id)).length;
  const precision = distinct.length === 0 ? 0 : hits / distinct.length;
  const recall = hits / relevant.length;
  const f1 = hits === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { cited, unknown, precision, recall, f1 };
}

/** The answer without its citation numbers. */
export function withoutCitations(answer: string): string {
  return answer.replaceAll(citationMark, "").replaceAll(/(?<! ) +(?=[.,;:!?])/g, "");
}

const citationMark = /\[(\d+(?:\s*,\s*\d+)*)\]/g;
