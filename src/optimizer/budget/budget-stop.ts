import { EspalierError } from "../../errors/index.ts";

/** The caps that a step can run into. */
export type Cap =
  | "metricCalls"
  | "reflectionCalls"
  | "lmCalls"
  | "tokens"
  | "costUsd"
  | "wallTimeMs";

/** The error of a call that would exceed a cap. */
export function budgetStop(cap: Cap, limit: number, spent: number): EspalierError {
  return new EspalierError({
    code: "budget-exhausted",
    problem: `The next call could exceed the budget's \`${cap}\``,
    expected: `at most ${limit}`,
    got: `${spent} already spent`,
  });
}
