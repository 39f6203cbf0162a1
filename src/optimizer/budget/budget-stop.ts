import { EspalierError } from "../../errors/index.ts";

/** The caps that a step can hit. */
export type Cap =
  | "metricCalls"
  | "reflectionCalls"
  | "lmCalls"
  | "toolCalls"
  | "tokens"
  | "costUsd"
  | "wallTimeMs";

/** The error for a call that could exceed a cap. */
export function budgetStop(cap: Cap, limit: number, spent: number): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: "The next call could exceed the budget",
    where: `${field}${cap}`,
    expected: `at most ${limit}`,
    got: `${spent} already spent`,
  });
}

const field = "budget.";

/**
 * The cap that caused such an error, or an error that such an error caused; `undefined` for any
 * other error.
 */
export function capOf(error: unknown): Cap | undefined {
  if (!EspalierError.isInstance(error) || error.kind !== "budget") return undefined;
  const { where = "" } = error.report;
  return where.startsWith(field) ? (where.slice(field.length) as Cap) : capOf(error.cause);
}
