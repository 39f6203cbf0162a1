import type { ErrorCode, FailureKind } from "./error-codes.ts";
import { errorCodes } from "./error-codes.ts";
import { EspalierError } from "./espalier-error.ts";

/** A failure as data: what traces, results and journals keep of an error. */
export interface Failure {
  readonly kind: FailureKind;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Describes anything thrown. An error that the framework did not throw gets the code `fallback`.
 */
export function failureOf(error: unknown, fallback: ErrorCode = "program-failed"): Failure {
  if (EspalierError.isInstance(error)) {
    return { kind: error.kind, code: error.code, message: error.message };
  }
  if (isAbort(error)) {
    return { kind: "aborted", code: "aborted", message: "The run was aborted." };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: errorCodes[fallback][0], code: fallback, message };
}

/** Whether this is the reason of an aborted signal. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The message of anything thrown, without the error's name. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
