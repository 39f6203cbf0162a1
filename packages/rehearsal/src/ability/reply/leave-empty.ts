import type { Json } from "../../../../../src/contract/index.ts";
import type { ClauseReader } from "../../steering/index.ts";

/** An output of the same reply that was already written. */
export interface WrittenField {
  readonly description: string;
  readonly value: Json;
}

/**
 * Whether to leave an output empty, as its description may ask: if everything available suffices,
 * according to an earlier output, or if an earlier list is empty.
 */
export function isLeftEmpty(
  description: string,
  before: readonly WrittenField[],
  readClauses: ClauseReader,
): boolean {
  const clauses = readClauses(description);
  const condition = clauses.find(({ hits }) => hits.has("blank"));
  if (condition === undefined) return false;
  if (condition.hits.has("solved")) {
    const judged = before.findLast(({ value }) => typeof value === "boolean");
    if (judged === undefined) return false;
    const isOfGap = readClauses(judged.description).some(({ hits }) => hits.has("unfinished"));
    return judged.value === !isOfGap;
  }
  const list = before.findLast(({ value }) => Array.isArray(value));
  return /\b(?:without|no|none|nothing)\b/i.test(condition.text) && list !== undefined
    ? Array.isArray(list.value) && list.value.length === 0
    : false;
}
