import type { Json } from "../../../contract/index.ts";
import type { ClauseReader } from "../../steering/index.ts";

/** An output of the same reply that is written already. */
export interface WrittenField {
  readonly description: string;
  readonly value: Json;
}

/**
 * Whether an output is to be left empty, as its description may say: when all there is suffices, by
 * what an output before it says of that, or when a list before it holds nothing.
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
