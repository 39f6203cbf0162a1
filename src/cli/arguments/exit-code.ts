import type { FailureKind } from "../../errors/index.ts";
import { EspalierError, failureOf } from "../../errors/index.ts";

/** What the process ends with; documented in `espalier --help`. */
export const exitCodes = {
  done: 0,
  /** The program, a metric or the framework failed. */
  failed: 1,
  /** The command line or a file it names cannot be used. */
  misused: 2,
  /** The server could not be reached, or too many examples stayed unscored. */
  infrastructure: 3,
  /** A cap would have been exceeded. */
  budget: 4,
  /** Ended by Ctrl-C, as shells have it: 128 + SIGINT. */
  aborted: 130,
} as const;

/** The same for a person. */
export const exitCodeHelp: string = [
  "EXIT CODES",
  "",
  `  ${exitCodes.done}    done`,
  `  ${exitCodes.failed}    the program, a metric or the framework failed`,
  `  ${exitCodes.misused}    the command line or a file it names cannot be used`,
  `  ${exitCodes.infrastructure}    the server failed, or too much stayed unscored`,
  `  ${exitCodes.budget}    a budget ran out`,
  `  ${exitCodes.aborted}  interrupted`,
].join("\n");

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Errors of the framework's own checks of what the user gave are misuse, not failure. */
const failedCodes: ReadonlySet<string> = new Set([
  "program-failed",
  "metric-failed",
  "call-path-repeated",
  "write-failed",
]);

export function exitCodeOf(error: unknown): ExitCode {
  const { kind, code } = failureOf(error);
  const byKind: Readonly<Record<FailureKind, ExitCode>> = {
    infrastructure: exitCodes.infrastructure,
    format: exitCodes.failed,
    program:
      EspalierError.isInstance(error) && !failedCodes.has(code)
        ? exitCodes.misused
        : exitCodes.failed,
    budget: exitCodes.budget,
    aborted: exitCodes.aborted,
  };
  return byKind[kind];
}
