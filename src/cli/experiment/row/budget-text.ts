import { EspalierError, failureOf } from "../../../errors/index.ts";

/** Which cap stopped something, for a cell of the table. */
export function budgetText(error: unknown): string {
  if (!EspalierError.isInstance(error)) return failureOf(error).message;
  const { cause, report } = error;
  // An evaluation wraps the error of the call that did not fit.
  if (EspalierError.isInstance(cause) && cause.kind === "budget") return budgetText(cause);
  const { problem, where, expected, got } = report;
  const cap = where === undefined ? "" : ` (${where})`;
  const figures = [expected, got].filter((part) => part !== undefined).join(", ");
  return figures === "" ? `${problem}${cap}` : `${problem}${cap}: ${figures}`;
}
