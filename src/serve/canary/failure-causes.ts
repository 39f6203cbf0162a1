import type { ErrorCode } from "../../errors/index.ts";

/**
 * Whose doing a failure is.
 *
 * - `version`: the program, its texts or its parameters; the version scores 0.
 * - `client`: what was asked, or that nobody waited for the answer; no observation.
 * - `surroundings`: a server, a file or a key, which another version would have met with as well;
 *   no observation.
 */
export type FailureCause = "version" | "client" | "surroundings";

/**
 * For every code that an answer can end with, and every other, so that a new code is decided here
 * before it can be served. What a client may cause among other causes is the version's: else one
 * that always fails would never be rolled back.
 */
export const failureCauses: Readonly<Record<ErrorCode, FailureCause>> = {
  "lm-unreachable": "surroundings",
  "lm-stalled": "surroundings",
  "lm-rate-limited": "surroundings",
  "lm-server-error": "surroundings",
  "lm-bad-envelope": "surroundings",
  "lm-reply-too-large": "surroundings",
  "artifact-rehearsed": "surroundings",
  "write-failed": "surroundings",
  "module-untrusted": "surroundings",
  // Also of a candidate whose parameters the server does not take, on every question.
  "lm-request-refused": "version",
  "lm-unauthorized": "surroundings",
  "lm-not-found": "surroundings",
  "lm-unsupported": "version",
  "search-failed": "surroundings",
  "search-refused": "surroundings",
  "recording-missing": "surroundings",
  // How long a question is the client chooses, and a long one fails at will.
  "lm-context-overflow": "client",
  "output-empty": "version",
  "output-truncated": "version",
  "output-unparseable": "version",
  "output-invalid": "version",
  "signature-invalid": "version",
  "field-unrepresentable": "version",
  "program-invalid": "version",
  "parameter-unknown": "version",
  "parameter-invalid": "version",
  "component-unknown": "version",
  "component-invalid": "version",
  "study-invalid": "surroundings",
  "serving-invalid": "surroundings",
  "option-invalid": "version",
  "input-invalid": "client",
  "call-path-repeated": "version",
  "program-failed": "version",
  "metric-failed": "surroundings",
  "proposer-failed": "surroundings",
  "comparison-invalid": "surroundings",
  "coverage-too-low": "surroundings",
  "journal-mismatch": "surroundings",
  "choice-unmet": "surroundings",
  "run-locked": "surroundings",
  "budget-exhausted": "surroundings",
  // The end of the server; a client that left is told apart before, and a deadline that passed
  // after.
  aborted: "surroundings",
  "file-missing": "surroundings",
  "file-malformed": "surroundings",
  "dataset-invalid": "surroundings",
  "corpus-invalid": "surroundings",
  "index-unusable": "surroundings",
  "embedding-invalid": "surroundings",
  "passage-unknown": "surroundings",
  "artifact-invalid": "surroundings",
  "artifact-drifted": "surroundings",
  "artifact-unknown": "surroundings",
  "artifact-conflict": "surroundings",
  "artifact-untrusted": "surroundings",
  "registry-name-invalid": "surroundings",
  "registry-locked": "surroundings",
  "cache-unusable": "surroundings",
  "feedback-unusable": "surroundings",
  "serve-state-unusable": "surroundings",
  "usage-invalid": "surroundings",
  "node-too-old": "surroundings",
};
