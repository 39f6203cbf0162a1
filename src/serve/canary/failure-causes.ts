import type { ErrorCode } from "../../errors/index.ts";

/**
 * The party at fault for a failure.
 *
 * - `version`: the program, its texts or its parameters; the version scores 0.
 * - `client`: the question, or a client that did not wait for the answer; no observation.
 * - `surroundings`: a server, a file or a key that would have failed another version as well; no
 *   observation.
 */
export type FailureCause = "version" | "client" | "surroundings";

/**
 * Covers every error code, even those that cannot end an answer, so that a new code is classified
 * here before it can be served. A failure with several possible causes, the client among them,
 * counts against the version: otherwise a version that always fails would never be rolled back.
 */
export const failureCauses: Readonly<Record<ErrorCode, FailureCause>> = {
  "lm-unreachable": "surroundings",
  "lm-stalled": "surroundings",
  "lm-rate-limited": "surroundings",
  "lm-server-error": "surroundings",
  "lm-unavailable": "surroundings",
  "lm-bad-envelope": "surroundings",
  "lm-reply-too-large": "surroundings",
  "lm-reply-missing": "surroundings",
  "artifact-rehearsed": "surroundings",
  "write-failed": "surroundings",
  "module-untrusted": "surroundings",
  "tool-not-allowed": "surroundings",
  "tool-server-failed": "surroundings",
  // Includes a candidate whose parameters the server rejects on every question.
  "lm-request-refused": "version",
  "lm-quota-exhausted": "surroundings",
  "lm-usage-missing": "surroundings",
  "search-hopeless": "surroundings",
  "lm-unauthorized": "surroundings",
  "lm-untrusted": "surroundings",
  "lm-not-found": "surroundings",
  "lm-unsupported": "version",
  "search-failed": "surroundings",
  "search-refused": "surroundings",
  "tracking-failed": "surroundings",
  "tracking-refused": "surroundings",
  "tracking-conflict": "surroundings",
  "queue-failed": "surroundings",
  "checkout-differs": "surroundings",
  // The client chooses the length of a question, and could cause this failure at will.
  "lm-context-overflow": "client",
  "lm-prompt-refused": "client",
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
  "experiment-invalid": "surroundings",
  "option-invalid": "version",
  "part-missing": "surroundings",
  "key-missing": "surroundings",
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
  "client-tools-called": "client",
  // Shutdown only: disconnected clients and expired deadlines are handled before this lookup.
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
  "registry-name-invalid": "surroundings",
  "registry-locked": "surroundings",
  "cache-unusable": "surroundings",
  "feedback-unusable": "surroundings",
  "serve-state-unusable": "surroundings",
  "usage-invalid": "surroundings",
  "node-too-old": "surroundings",
};
