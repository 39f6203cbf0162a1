/**
 * One base class, one class for each thing a caller would catch differently, and one table of codes
 * that says how each is treated. Nothing here knows what went wrong where: callers fill in what was
 * expected, what came, where, and what to do next.
 */
import "./supported-node.ts";
export type { ErrorCode, FailureKind } from "./error-codes.ts";
export { ClientCallsError } from "./client-calls-error.ts";
export { errorCodes, isAbsence } from "./error-codes.ts";
export type { ErrorReport, EspalierErrorOptions } from "./espalier-error.ts";
export { EspalierError } from "./espalier-error.ts";
export type { Failure } from "./failure.ts";
export { failureOf, messageOf } from "./failure.ts";
export { declinedReply, FormatError } from "./format-error.ts";
export {
  gaveUp,
  LmError,
  refuseUnsupported,
  refusedMedia,
  codeOfRefusal,
  retryAfterIn,
} from "./lm-error.ts";
export type { LmErrorOptions } from "./lm-error.ts";
