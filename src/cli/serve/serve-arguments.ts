import {
  artifactProgramArguments,
  lmArguments,
  maxInputArgument,
  rehearsalArguments,
  serversArguments,
  wholeNumber,
} from "../arguments/arguments.ts";
import { protocolArgument } from "../load/load-protocol.ts";
import { trackingArguments } from "../arguments/shared-arguments.ts";
import { rolloutArguments } from "../rollout/serve-rollout.ts";
import { openFeedback } from "../../serve/files.ts";
import { EspalierError } from "../../errors/index.ts";
import type { ApiKeys, FeedbackStore } from "../../serve/index.ts";
import { apiKeyFile, apiKeysInClear, isLoopback } from "../../serve/index.ts";

/** The variable with plain-text keys, for setups where a file is inconvenient. */
const keysVariable = "ESPALIER_SERVE_KEYS";

/** Arguments of `espalier serve`. */
export const serveArguments = {
  serving: {
    type: "positional",
    description: "File that default-exports a `serving()`, a study or a program; or an artifact",
    valueHint: "FILE|STUDY|PROGRAM|ARTIFACT.json",
    required: false,
  },
  ...artifactProgramArguments,
  host: { type: "string", description: "Address to listen on", default: "127.0.0.1" },
  port: { type: "string", description: "0 picks a free port", valueHint: "N", default: "8080" },
  artifacts: {
    type: "string",
    description: "Registry of artifacts; by default, programs are served as declared",
    valueHint: "FOLDER",
  },
  ...rehearsalArguments,
  keys: {
    type: "string",
    description: `File of key hashes; alternatively, plain-text keys in ${keysVariable}`,
    valueHint: "FILE",
  },
  "new-key": {
    type: "string",
    description: "Print a new key and its line for the key file, then exit",
    valueHint: "NAME",
  },
  auth: {
    type: "boolean",
    description: "Require a key for requests from other machines",
    negativeDescription: "Accept requests without a key, from any host",
    default: true,
  },
  cors: {
    type: "string",
    description: "Allowed origins of web pages, comma-separated; or `*`",
    valueHint: "ORIGINS",
  },
  "allow-host": {
    type: "string",
    description: "Additional host names to accept, comma-separated",
    valueHint: "NAMES",
  },
  protocol: {
    ...protocolArgument,
    description: "File that default-exports a protocol; its routes are also served",
  },
  page: {
    type: "boolean",
    description: "Serve a page at / where users ask questions, and compare and rate answers",
    negativeDescription: "Serve no page at /",
    default: true,
  },
  ...rolloutArguments,
  feedback: {
    type: "string",
    description: "File to store answers and their ratings in; without it, none are stored",
    valueHint: "DB",
  },
  "feedback-days": {
    type: "string",
    description: "Days to keep an answer",
    valueHint: "N",
    default: "30",
  },
  "feedback-rows": {
    type: "string",
    description: "Maximum number of answers to keep; the oldest are erased first",
    valueHint: "N",
    default: "100000",
  },
  ...trackingArguments,
  mlflow: {
    ...trackingArguments.mlflow,
    description:
      "MLflow server that receives answers as traces and, with --feedback, users' ratings",
  },
  "trace-sample": {
    type: "string",
    description: "Share of answers sent to --mlflow and --otlp, from 0 to 1",
    valueHint: "SHARE",
    default: "1",
  },
  "max-requests": {
    type: "string",
    description: "Maximum concurrent requests",
    valueHint: "N",
    default: "16",
  },
  queue: {
    type: "string",
    description: "Maximum number of queued requests; more are rejected",
    valueHint: "N",
    default: "64",
  },
  "max-input": maxInputArgument,
  deadline: {
    type: "string",
    description: "Maximum time for an answer, in seconds",
    valueHint: "S",
    default: "600",
  },
  drain: {
    type: "string",
    description: "Maximum seconds to wait for unfinished answers at shutdown",
    valueHint: "S",
    default: "30",
  },
  ...serversArguments,
  lm: lmArguments.lm,
  model: lmArguments.model,
  concurrency: {
    ...lmArguments.concurrency,
    description: "Maximum concurrent LM calls",
    default: "64",
  },
  // A person waits: faults that a batch would sit out are reported instead.
  patience: { ...lmArguments.patience, default: "0.1" },
  cache: { ...lmArguments.cache, default: "none" },
  candidate: lmArguments.candidate,
} as const;

/**
 * Keys from the file, or else from the environment. A server that other machines can reach needs
 * keys, unless it is explicitly open.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `option-invalid`, `usage-invalid`
 */
export function serveKeys({
  file,
  host,
  isOpen,
}: {
  readonly file: string | undefined;
  readonly host: string;
  readonly isOpen: boolean;
}): ApiKeys | undefined {
  const inClear = process.env[keysVariable];
  if (file !== undefined) return apiKeyFile(file);
  if (inClear !== undefined && inClear !== "") return apiKeysInClear(inClear, keysVariable);
  if (isOpen || isLoopback(host)) return undefined;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Other machines can reach ${host}, but there are no keys`,
    expected: `--keys FILE, ${keysVariable}, or --no-auth to accept requests without a key`,
    fix: "Create a key with `espalier serve --new-key NAME`.",
  });
}

/**
 * Opens the file that the command line names; makes it if it is missing.
 *
 * @throws EspalierError `usage-invalid`, `feedback-unusable`
 */
export function serveFeedback(
  given: {
    readonly feedback?: string | undefined;
    readonly "feedback-days": string;
    readonly "feedback-rows": string;
  },
  secrets: readonly string[],
): FeedbackStore | undefined {
  const keepDays = wholeNumber("feedback-days", given["feedback-days"], 1);
  const keepRows = wholeNumber("feedback-rows", given["feedback-rows"], 1);
  if (given.feedback === undefined) return undefined;
  return openFeedback({ path: given.feedback, isMade: true, keepDays, keepRows, secrets });
}
