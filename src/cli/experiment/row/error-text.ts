import { EspalierError, failureOf } from "../../../errors/index.ts";

/** What went wrong, for a cell of the table: without what to do next. */
export function errorText(error: unknown): string {
  if (!EspalierError.isInstance(error)) return failureOf(error).message;
  const { problem, where, expected, got } = error.report;
  const place = where === undefined ? "" : ` (${where})`;
  const figures = [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(got === undefined ? [] : [`got ${got}`]),
  ].join(", ");
  return figures === "" ? `${problem}${place}` : `${problem}${place}: ${figures}`;
}
