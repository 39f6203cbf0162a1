import type { ErrorCode } from "../../../errors/index.ts";
import { EspalierError, failureOf } from "../../../errors/index.ts";

/** What is wrong with a row's study, its data or its candidate, and with no other row's. */
const ofStudies: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "study-invalid",
  "program-invalid",
  "signature-invalid",
  "field-unrepresentable",
  "dataset-invalid",
  "input-invalid",
  "component-unknown",
  "component-invalid",
  "parameter-unknown",
  "parameter-invalid",
]);

/** What besides may be wrong before a row runs: files of its data, an unknown variant. */
const ofPreparation: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "file-missing",
  "file-malformed",
  "corpus-invalid",
  "passage-unknown",
  "option-invalid",
  "usage-invalid",
]);

/**
 * Whether an error of building and checking a row leaves the other rows unharmed. Servers, keys,
 * missing parts and the experiment's own declaration concern all of them.
 */
export function isFaultOfPreparation(error: unknown): error is EspalierError {
  if (!EspalierError.isInstance(error)) return false;
  return ofStudies.has(error.code) || ofPreparation.has(error.code);
}

/**
 * The same of an error while the row runs. A program or metric that throws is not among them: its
 * replies are on file, and with the code corrected, the row goes on.
 */
export function isFaultOfRow(error: unknown): error is EspalierError {
  return EspalierError.isInstance(error) && ofStudies.has(error.code);
}

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
