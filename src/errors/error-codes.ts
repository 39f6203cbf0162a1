/**
 * How a run that did not complete is treated.
 *
 * - `infrastructure`: transport, 5xx, stall, broken envelope. Retried, then unscored, never a zero.
 * - `format`: a valid envelope whose content is unusable after the correction. Scored as the
 *   metric says, counted apart.
 * - `program`: the program, its inputs or its configuration are wrong. Fails the whole evaluation.
 * - `budget`: a cap would have been exceeded.
 * - `aborted`: the caller's signal fired.
 * - `client`: the caller is asked for something, and runs the program again with it. Not a fault.
 */
export type FailureKind = "infrastructure" | "format" | "program" | "budget" | "aborted" | "client";

/** Every error code, how it is treated, and what it means in one sentence. */
export const errorCodes = {
  // LM and server faults
  "lm-unreachable": ["infrastructure", "No connection to the server could be made or kept."],
  "lm-stalled": ["infrastructure", "The server sent nothing for longer than the stall timeout."],
  "lm-rate-limited": [
    "infrastructure",
    "The server asked the client to slow down (408, 425 or 429).",
  ],
  "lm-unavailable": [
    "infrastructure",
    "The server, or a gateway in front of it, cannot answer now (502, 503 or 504).",
  ],
  "lm-server-error": ["infrastructure", "The server failed on this request (500 and others)."],
  "lm-bad-envelope": [
    "infrastructure",
    "The reply was not JSON, or does not have the shape that the protocol requires.",
  ],
  "lm-reply-too-large": [
    "infrastructure",
    "The reply was larger than the limit; the request is not repeated.",
  ],
  "lm-reply-missing": [
    "infrastructure",
    "Only recorded replies may be used, and there is none for this call.",
  ],
  "lm-quota-exhausted": [
    "program",
    "The account's quota or credit is used up (402, or a refusal that says so).",
  ],
  "lm-request-refused": ["program", "The server rejected the request as malformed (4xx)."],
  "lm-unauthorized": ["program", "The server rejected the credentials (401 or 403)."],
  "lm-untrusted": [
    "program",
    "The server's certificate is not trusted, or its port does not speak TLS.",
  ],
  "lm-not-found": ["program", "The URL or the model does not exist on the server (404)."],
  "lm-usage-missing": [
    "program",
    "A cap on tokens or money needs token counts, which the server does not report.",
  ],
  "lm-unsupported": ["program", "The LM cannot do what the request asks."],
  "search-failed": [
    "infrastructure",
    "A search server could not be reached, failed, or sent an unreadable reply.",
  ],
  "search-refused": ["program", "A search server rejected the request (4xx), or redirected it."],
  "tracking-failed": [
    "infrastructure",
    "A tracking server could not be reached, failed, or sent an unreadable reply.",
  ],
  "tracking-refused": ["program", "A tracking server rejected a request (4xx), or redirected it."],
  "tracking-conflict": [
    "program",
    "A tracking server's content differs from what was registered there.",
  ],
  "queue-failed": ["infrastructure", "Redis could not be reached, or a command failed."],
  "checkout-differs": [
    "program",
    "A worker's code, prompts or models differ from those of the run.",
  ],
  "tool-server-failed": [
    "infrastructure",
    "A tool server could not be started or reached, or failed.",
  ],
  "tool-not-allowed": [
    "program",
    "A tool with side effects was called where they are not allowed.",
  ],
  // content faults
  "lm-context-overflow": ["format", "The prompt does not fit into the model's context."],
  "lm-prompt-refused": ["format", "The provider refuses this prompt: its content was filtered."],
  "output-empty": ["format", "The reply has no content."],
  "output-truncated": ["format", "The reply was cut off at the token limit."],
  "output-unparseable": ["format", "The reply is not the requested JSON."],
  "output-invalid": ["format", "The reply is JSON but breaks a rule of the output fields."],
  // declarations
  "signature-invalid": ["program", "A signature's declaration is invalid."],
  "field-unrepresentable": ["program", "A field's type cannot be described to a language model."],
  "program-invalid": ["program", "A program's declaration is invalid."],
  "parameter-unknown": ["program", "No tunable parameter has this name."],
  "parameter-invalid": ["program", "A parameter's value is outside its declared range."],
  "component-unknown": ["program", "A candidate names a component that the program lacks."],
  "component-invalid": ["program", "A component's value does not fit what it replaces."],
  "study-invalid": ["program", "A study file does not export a usable study."],
  "serving-invalid": ["program", "A serving file does not export usable chat models."],
  "experiment-invalid": ["program", "An experiment file does not export a usable experiment."],
  "option-invalid": ["program", "An option of a call is outside its range."],
  "part-missing": ["program", "A program needs a part that neither a server nor a mock plays."],
  "key-missing": ["program", "The environment variable with a server's key is not set."],
  // runs
  "input-invalid": ["program", "An input does not match the declared fields."],
  "call-path-repeated": ["program", "Two calls in one run claim the same call path."],
  "program-failed": ["program", "The program's own code threw an error."],
  "metric-failed": ["program", "The metric's own code threw an error or returned no score."],
  "proposer-failed": ["program", "A custom proposer threw an error or returned no text."],
  "comparison-invalid": ["program", "Two evaluations cannot be compared."],
  "coverage-too-low": ["infrastructure", "Faults left too many examples unscored for a decision."],
  "journal-mismatch": ["program", "A run's folder does not match the run to resume."],
  "search-hopeless": [
    "program",
    "A search that could find nothing was stopped; the message says why.",
  ],
  "choice-unmet": ["program", "No candidate of a run meets the requested choice."],
  "run-locked": ["program", "Another process is writing to a run's folder or to a batch result."],
  "budget-exhausted": ["budget", "The next step would exceed a cap."],
  aborted: ["aborted", "The caller aborted the run."],
  "client-tools-called": ["client", "An agent called tools that its caller must run."],
  // files and data
  "file-missing": ["program", "A file does not exist or cannot be read."],
  "file-malformed": ["program", "A file's content does not match its format."],
  "write-failed": [
    "program",
    "A file could not be written: the disk is full, a limit is reached, or the location is read-only.",
  ],
  "dataset-invalid": ["program", "A trainset breaks a rule: repeated ids, shared clusters..."],
  "corpus-invalid": ["program", "A corpus breaks a rule: no passages, repeated ids..."],
  "index-unusable": [
    "program",
    "An index file cannot be opened, or belongs to another corpus or version.",
  ],
  "embedding-invalid": ["program", "An embedder returned vectors that cannot be used."],
  "passage-unknown": ["program", "A passage id is not in the collection."],
  "artifact-invalid": [
    "program",
    "A file is not an artifact that this version can read and trust.",
  ],
  "artifact-drifted": ["program", "The program is not the one an artifact was compiled for."],
  "artifact-rehearsed": [
    "program",
    "An artifact compiled with the rehearsal LM would run on a real LM.",
  ],
  "artifact-unknown": [
    "program",
    "A registry has no such program, version or alias, or the name is ambiguous.",
  ],
  "artifact-conflict": [
    "program",
    "A registry already holds different content under this version.",
  ],
  "module-untrusted": ["program", "An artifact names a package or a module outside its project."],
  "registry-name-invalid": [
    "program",
    "A program, version or alias has a name that a registry cannot turn into a safe path.",
  ],
  "registry-locked": [
    "program",
    "The registry is not writable, or another process holds its lock.",
  ],
  "cache-unusable": [
    "program",
    "The cache file cannot be opened, or was written by another version.",
  ],
  "feedback-unusable": [
    "program",
    "A feedback file cannot be opened, or belongs to another program or version.",
  ],
  "serve-state-unusable": [
    "program",
    "A server's rollout file cannot be opened, or belongs to another program or version.",
  ],
  // command line
  "usage-invalid": ["program", "The command line cannot be understood."],
  "node-too-old": ["program", "This Node.js is older than the package supports."],
} as const;

export type ErrorCode = keyof typeof errorCodes;

const absences: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "lm-unreachable",
  "lm-stalled",
  "lm-rate-limited",
  "lm-unavailable",
  "lm-bad-envelope",
  "search-failed",
]);

/**
 * Whether a fault says that a server is away, whatever it was asked, and not that one request
 * failed. A page that is not the protocol's usually comes from something before the server.
 */
export function isAbsence(code: ErrorCode): boolean {
  return absences.has(code);
}
