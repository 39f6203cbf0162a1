import type { FailureKind } from "../../errors/index.ts";
import { EspalierError, failureOf } from "../../errors/index.ts";

/** The process's exit codes, documented in `espalier --help`. */
export const exitCodes = {
  done: 0,
  /** A program, a metric or the framework failed, or a search can find nothing. */
  failed: 1,
  /** The command line, or a file that it names, is invalid. */
  misused: 2,
  /** The server failed, or too many examples remained unscored. */
  infrastructure: 3,
  /** The next step would have exceeded a cap. */
  budget: 4,
  /** Ended by Ctrl-C: 128 + SIGINT, as in shells. */
  aborted: 130,
} as const;

/** The exit codes as help text. */
export const exitCodeHelp: string = [
  "EXIT CODES",
  "",
  `  ${exitCodes.done}    done`,
  `  ${exitCodes.failed}    a program, a metric or the framework failed, or a search is hopeless`,
  `  ${exitCodes.misused}    the command line, or a file that it names, is invalid`,
  `  ${exitCodes.infrastructure}    the server failed, or too many examples remained unscored`,
  `  ${exitCodes.budget}    a budget ran out`,
  `  ${exitCodes.aborted}  interrupted`,
].join("\n");

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Errors with other codes come from checks of user input, so they count as misuse. */
const failedCodes: ReadonlySet<string> = new Set([
  "program-failed",
  "metric-failed",
  "call-path-repeated",
  "write-failed",
  "search-hopeless",
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
    client: exitCodes.failed,
  };
  return byKind[kind];
}
